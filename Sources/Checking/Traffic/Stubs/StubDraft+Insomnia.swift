import Basics
import JSON
import ScenarioFormat

extension StubDraft {
    /// Reads an export of Insomnia (format 4): its requests, which have no responses.
    ///
    /// Each becomes a route with an empty response, which its comment marks.
    init(insomnia root: JSONValue, file: String) throws(CaptureProblem) {
        let resources = root["resources"]?.array ?? []
        let workspace = resources.first { $0["_type"] == "workspace" }
        self.init(workspace?["name"]?.string ?? "Insomnia", file: file)
        begin(root, of: file)
        var variables: [String: String] = [:]
        for resource in resources where resource["_type"] == "environment" {
            for member in resource["data"]?.object?.members ?? [] {
                guard let value = member.value.string, variables[member.name] == nil else { continue }
                (variables[member.name], variables["_.\(member.name)"]) = (value, value)
            }
        }
        var seen: Set<String> = []
        for request in resources where request["_type"] == "request" {
            drop()
            let title = (request["name"]?.string ?? "a request").printable.shortened
            guard let url = request["url"]?.string, let segments = Self.path(of: url, variables) else {
                leaveOut("\(title), whose URL has no path", at: request)
                continue
            }
            var stub = Stub(method: Self.method(request["method"]), path: "", position: request.position)
            var path = DraftPath()
            var names: [String: String] = [:]
            append(segments, to: &path, &stub.condition, &names)
            stub.path = path.text
            guard seen.insert(stub.key).inserted else { continue }
            assume("placeholder: the export contains no response for \(title)", at: request)
            stub.response = [.status: 200, .empty: true]
            add(stub)
        }
        guard !stubs.isEmpty else {
            throw nothing("the export contains no request with a path", at: root.position)
        }
    }
}
