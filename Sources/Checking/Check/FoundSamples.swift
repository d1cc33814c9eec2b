import JSON
import ScenarioFormat
import Simulation

/// What a response can show of what its route has found, as far as that is known before there is a request.
struct FoundSamples {
    /// The value of each name.
    typealias Sample = [String: JSONValue]

    /// So many samples are judged for a response; a collection is seldom longer, and alike items say no more.
    private static let most = 2_000

    /// The names in their order, and every value that each may have in this response.
    private let names: [(name: String, values: [JSONValue])]
    /// Whether another account may find something else.
    let differByAccount: Bool

    /// - Parameters:
    ///   - session: one in which nothing but the story's past has happened.
    ///   - account: who asks.
    init(_ surveyed: SurveyedResponse, in session: Session, for account: String?) {
        var names: [(name: String, values: [JSONValue])] = []
        var differ = false
        for find in surveyed.shownFinds where !surveyed.response.isChanging(find) {
            let prospects = session.prospects(of: find.selection, for: account)
            let values = prospects.values.filter { surveyed.isPossible(where: find.name, is: $0) }
            guard !values.isEmpty else { continue }
            names.append((find.name, values))
            differ = differ || prospects.differsByAccount
        }
        self.names = names
        differByAccount = differ
    }

    /// Every value of every name at least once; one sample without any where nothing is known.
    var all: [Sample] {
        let first = Sample(names.compactMap { name in name.values.first.map { (name.name, $0) } }) { $1 }
        var samples = [first]
        for name in names {
            for value in name.values.dropFirst() where samples.count < Self.most {
                var sample = first
                sample[name.name] = value
                samples.append(sample)
            }
        }
        return samples
    }
}

extension StubResponse {
    /// Whether what is shown under a name was given other members before.
    fileprivate func isChanging(_ find: Find) -> Bool {
        changes.contains { event in
            guard case .change(.update(let target, let edit)) = event.action,
                !edit.set.isEmpty || !edit.unset.isEmpty
            else { return false }
            switch target {
            case .found(let name): return name.hasSameUTF8(as: find.name)
            case .selected(let selection): return selection.collection.hasSameUTF8(as: find.selection.collection)
            }
        }
    }
}
