import Basics
import HTTPCodec
package import OpenAPI
package import Reports
import Rules
import Simulation

extension CapturedSession {
    /// Notes what a contract does not allow in the requests and responses of the backend.
    ///
    /// A body that was not recorded is not judged, for it is not known to be empty.
    ///
    /// - Parameter basePath: the path in front of those of the contract; `nil` for that of its servers.
    /// - Returns: how much was compared, as a report with one check.
    package mutating func hold(against judge: ContractEvaluator, below basePath: String? = nil) -> Report {
        var (exchanges, unknown) = (0, 0)
        var undocumented: [Int] = []
        for (index, entry) in capture.entries.enumerated() where hosts.contains(entry.host) {
            guard let (request, match) = judge.contract.match(entry.request, below: basePath) else {
                if entry.request.method != .options { undocumented.append(index) }
                continue
            }
            exchanges += 1
            var found = judge.violations(of: request, for: match)
            if entry.lacksRequestBody {
                unknown += 1
                found.removeAll(where: \.isAboutBody)
            }
            note(found.map { Violation($0, in: .request) }, ofEntry: index)
            guard let response = entry.response, entry.error == nil else { continue }
            found = judge.violations(of: response, to: match.operation)
            if entry.lacksResponseBody {
                unknown += 1
                found.removeAll(where: \.isAboutBody)
            }
            note(found.map { Violation($0, in: .response) }, ofEntry: index)
        }
        // If no request is documented, the contract describes another server.
        for index in exchanges > 0 ? undocumented : [] {
            let request = capture.entries[index].request
            note([.undocumented("\(request.method) \(request.path)", in: judge.contract)], ofEntry: index)
        }
        heldExchanges += exchanges
        return report(of: exchanges, unknown: unknown, judge.contract.path)
    }

    private func report(of exchanges: Int, unknown: Int, _ contract: String) -> Report {
        let place = Place(file: capture.file)
        var check = Report.Check(group: FilePath.name(of: capture.file), name: "contract", place: place)
        if exchanges == 0 {
            check.skipped =
                "\(contract) documents none of the captured requests; --base-path adds a prefix to the contract's paths"
        }
        var report = Report(title: "autopsy", checks: [check])
        report.summary = ["compared \(plural(exchanges, "exchange")) with \(contract)"]
        guard unknown > 0 else { return report }
        let words =
            unknown == 1
            ? "1 body was not recorded, so it was not compared with the contract"
            : "\(unknown) bodies were not recorded, so they were not compared with the contract"
        report.findings = [Finding(.note, id: "autopsy/unknown-body", words, at: place)]
        return report
    }

    /// The judgements of the rules and the contract, each with its place in the capture.
    package var report: Report {
        let name = FilePath.name(of: capture.file)
        var story = PlayedStory(recording(title: name))
        story.rules = story.rules.map(placed)
        story.contract = story.contract.map(placed)
        let broken = story.contract.count { $0.status == .failed }
        if broken > 0 {
            let words = plural(broken, "contract violation")
            story.summary = story.outcome == .failed ? "\(story.summary), and \(words)" : words
            story.outcome = .failed
        }
        let assumed = assumptions.map { "assumed: \($0)" }
        story.notes += assumed
        var report = Report(title: "autopsy", checks: story.checks, summary: assumed)
        if tokens.isEmpty, heldExchanges == 0, story.outcome == .passed { story.outcome = .incomplete }
        report.stories = [story]
        return report
    }

    private func placed(_ judgement: Judgement) -> Judgement {
        guard judgement.finding != nil, judgement.place?.file == nil else { return judgement }
        var place = Place(file: capture.file)
        if let number = judgement.exchanges.first ?? judgement.place?.exchange,
            capture.entries.indices.contains(number - 1)
        {
            place.position = capture.entries[number - 1].position
        }
        (place.operation, place.exchange) = (judgement.place?.operation, judgement.place?.exchange)
        var judgement = judgement
        judgement.place = place
        return judgement
    }
}

extension Contract {
    /// The operation of a request, and the request as the contract's servers would get it; `nil` for none.
    fileprivate func match(
        _ request: HTTPRequest,
        below basePath: String?
    ) -> (request: HTTPRequest, match: MatchedOperation)? {
        guard let basePath else { return operation(request.method, request.path).map { (request, $0) } }
        let base = basePath.hasSuffix("/") ? String(basePath.dropLast()) : basePath
        guard request.path.hasPrefix(base + "/") else { return nil }
        let path = String(decoding: request.path.utf8.dropFirst(base.utf8.count), as: UTF8.self)
        for server in ([""] + servers.map(\.basePath)).unique {
            guard let match = operation(request.method, server + path) else { continue }
            return (request.readdressed(to: server + path), match)
        }
        return nil
    }
}
