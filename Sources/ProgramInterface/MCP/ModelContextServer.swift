import Basics
import EventLoops
import Guides
package import JSON
import JSONSchema
import StoryRunning

/// An MCP server over lines of JSON-RPC: the tools are commands of this program, which run in separate processes.
///
/// Serves the protocol revision 2026-07-28, whose requests carry their revision, and the revisions before it, which begin
/// with `initialize`.
///
/// A class, because the reader of the messages and the threads of the calls share it.
package final class ModelContextServer: Sendable {
    /// The configuration of a server.
    package struct Configuration: Sendable {
        /// This program.
        package var program: String
        package var version: String
        /// The folder outside of which no file is read or written, resolved.
        package var root: String
        /// The commands of clients by name.
        package var clients: [String: String] = [:]
        /// A folder for the output of processes.
        package var scratch: String

        package init(program: String, version: String, root: String, scratch: String) {
            (self.program, self.version, self.root, self.scratch) = (program, version, root, scratch)
        }
    }

    private struct State {
        /// The processes of the calls by request ID.
        var calls: [ExactText: ChildProcess?] = [:]
        /// The requests that the client has cancelled.
        var cancelled: Set<ExactText> = []
        /// The threads of the calls by request ID.
        var threads: [ExactText: DeepStack.Work<Void>] = [:]
        var server: ServerProcess?
        /// The results of the last runs, by the name of the tool.
        var reports: [String: JSONValue] = [:]
        var isOver = false
    }

    private let configuration: Configuration
    private let state = Lock(State())
    private let write: @Sendable (JSONValue) -> Void

    /// - Parameter write: writes a message as one line; never called by two threads at once.
    package init(_ configuration: Configuration, write: @escaping @Sendable (JSONValue) -> Void) {
        self.configuration = configuration
        let gate = Lock(())
        self.write = { message in gate.withLock { _ in write(message) } }
    }

    // MARK: Messages

    /// Takes a line that the client has sent.
    package func take(_ line: [UInt8]) {
        guard !line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) else { return }
        let message: JSONValue
        do {
            message = try JSONParser().parse(line).root
        } catch {
            return fail(nil, -32_700, "the message is not valid JSON: \(error.position.text): \(error.sentence)")
        }
        guard let object = message.object, object["jsonrpc"]?.string == "2.0" else {
            return fail(nil, -32_600, "a message must be an object with \"jsonrpc\": \"2.0\"")
        }
        let id = object["id"]
        guard let method = object["method"]?.string else {
            // A response; this server asks its client nothing.
            if object["result"] == nil, object["error"] == nil { fail(id, -32_600, "the request has no \"method\"") }
            return
        }
        if let id, id.string == nil, id.int == nil {
            return fail(nil, -32_600, "\"id\" must be a string or an integer")
        }
        let params = object["params"]?.object ?? [:]
        guard let id else { return notice(method, params) }
        answer(id, method, params)
    }

    /// Refuses a line that is too long to be read.
    package func refuseLongLine() { fail(nil, -32_600, "the message is longer than 64 MB") }

    /// Ends everything: the client has gone.
    ///
    /// Each call is interrupted once, also if the client has cancelled it or this function is called again: another
    /// interrupt would kill the command before it has ended its clients.
    package func end() {
        let (server, threads) = state.withLock { state in
            if !state.isOver {
                for case (let key, let child?) in state.calls where !state.cancelled.contains(key) {
                    Self.interrupt(child)
                }
            }
            state.isOver = true
            defer { state.server = nil }
            return (state.server, state.threads.values)
        }
        _ = server?.stop()
        for thread in threads { _ = thread.wait() }
    }

    private func notice(_ method: String, _ params: JSONObject) {
        guard method == "notifications/cancelled", let id = params["requestId"] else { return }
        let key = Self.key(id)
        state.withLock { state in
            guard !state.isOver, let call = state.calls[key], state.cancelled.insert(key).inserted else { return }
            if let call { Self.interrupt(call) }
        }
    }

    private func answer(_ id: JSONValue, _ method: String, _ params: JSONObject) {
        let requested = params["_meta"]?["io.modelcontextprotocol/protocolVersion"]
        let isModern = requested != nil
        if let requested, requested.string != Self.modern {
            let data: JSONValue = ["supported": [.string(Self.modern)], "requested": requested]
            return fail(id, -32_022, "the protocol version is not supported", data)
        }
        @Sendable func succeed(_ result: JSONObject, isList: Bool = false) {
            var result = result
            if isModern {
                result["resultType"] = "complete"
                if isList { (result["ttlMs"], result["cacheScope"]) = (0, "private") }
            }
            write(["jsonrpc": "2.0", "id": id, "result": .object(result)])
        }
        let info: JSONValue = ["name": "backlot", "title": "Backlot", "version": .string(configuration.version)]
        let capabilities: JSONValue = ["tools": [:], "resources": [:]]
        switch method {
        case "initialize":
            let wanted = params["protocolVersion"]?.string ?? ""
            let version = Self.handshake.first { $0 == wanted } ?? Self.handshake[0]
            succeed([
                "protocolVersion": .string(version), "capabilities": capabilities, "serverInfo": info,
                "instructions": .string(Self.instructions),
            ])
        case "server/discover":
            succeed(
                [
                    "supportedVersions": .array(([Self.modern] + Self.handshake).map(JSONValue.string)),
                    "capabilities": capabilities, "instructions": .string(Self.instructions),
                    "_meta": ["io.modelcontextprotocol/serverInfo": info],
                ],
                isList: true
            )
        case "ping": succeed([:])
        case "tools/list": succeed(["tools": .array(ModelContextTool.all.map(\.json))], isList: true)
        case "resources/list": succeed(["resources": .array(resources.map(\.json))], isList: true)
        case "resources/templates/list": succeed(["resourceTemplates": []], isList: true)
        case "resources/read":
            let uri = params["uri"]?.string ?? ""
            guard let resource = resources.first(where: { $0.uri.hasSameUTF8(as: uri) }), let text = text(of: resource)
            else {
                return fail(
                    id,
                    isModern ? -32_602 : -32_002,
                    "there is no resource \"\(uri.printable)\"",
                    ["uri": .string(uri)]
                )
            }
            let content: JSONValue = ["uri": .string(uri), "mimeType": .string(resource.type), "text": .string(text)]
            succeed(["contents": [content]], isList: true)
        case "tools/call":
            let name = params["name"]?.string ?? ""
            guard let tool = ModelContextTool.all.first(where: { $0.name == name }) else {
                let names = ModelContextTool.all.map(\.name)
                let advice = Suggestion.advice(for: name, among: names) ?? ""
                return fail(id, -32_602, "unknown tool \"\(name.printable)\"; \(advice)")
            }
            start(tool, id, params) { succeed($0) }
        default: fail(id, -32_601, "the method \"\(method.printable)\" is not supported")
        }
    }

    private func fail(_ id: JSONValue?, _ code: Int, _ message: String, _ data: JSONValue? = nil) {
        var error: JSONObject = ["code": .number(JSONNumber(code)), "message": .string(message)]
        error["data"] = data
        write(["jsonrpc": "2.0", "id": id ?? .null, "error": .object(error)])
    }

    private static let modern = "2026-07-28"
    /// The revisions that begin with `initialize`, the newest first; without 2025-03-26, which requires batches.
    private static let handshake = ["2025-11-25", "2025-06-18", "2024-11-05"]

    private static let instructions = """
        Backlot serves mock backends with tokens that expire on a virtual clock, and judges how a client handles them. Work \
        in this order: run a story to reproduce a bug, explain the violated rule, fix the client and commit, then prove the \
        fix with its revisions.
        """

    private static func key(_ id: JSONValue) -> ExactText { ExactText(id.text(.compact)) }

    /// Ends a process as a user would: the second signal ends its client at once.
    private static func interrupt(_ child: ChildProcess) {
        child.signal(.interrupt)
        child.signal(.interrupt)
    }
}

// MARK: - Calls

extension ModelContextServer {
    /// Performs a call on a separate thread, so that others and its cancellation are heard of.
    private func start(
        _ tool: ModelContextTool,
        _ id: JSONValue,
        _ params: JSONObject,
        succeed: @escaping @Sendable (JSONObject) -> Void
    ) {
        let key = Self.key(id)
        let isNew = state.withLock { state in
            guard !state.isOver, state.calls[key] == nil else { return false }
            state.calls[key] = .some(nil)
            return true
        }
        guard isNew else { return fail(id, -32_600, "a request with this ID is in progress") }
        let token = params["_meta"]?["progressToken"]
        let thread = DeepStack.Work { [self] in
            progress(token, 0, "\(tool.name) started")
            let document: JSONValue?
            do throws(ToolProblem) {
                document = try perform(tool, params["arguments"]?.object ?? [:], key)
            } catch {
                document = nil
                finish(key) { succeed(Self.result(text: error.sentence, nil, isError: true)) }
            }
            guard let document else { return }
            state.withLock { $0.reports[tool.name] = document }
            finish(key) {
                progress(token, 1, "\(tool.name) ended")
                let isError = document["outcome"]?.string == "error"
                succeed(Self.result(text: document.text(.compact), document, isError: isError))
            }
        }
        state.withLock { if $0.calls[key] != nil { $0.threads[key] = thread } }
    }

    /// Forgets a call, and answers it unless the client has cancelled it.
    private func finish(_ key: ExactText, _ answer: () -> Void) {
        let isWanted = state.withLock { state in
            (state.calls[key], state.threads[key]) = (nil, nil)
            return state.cancelled.remove(key) == nil && !state.isOver
        }
        if isWanted { answer() }
    }

    private func progress(_ token: JSONValue?, _ done: Int, _ message: String) {
        guard let token else { return }
        write([
            "jsonrpc": "2.0", "method": "notifications/progress",
            "params": [
                "progressToken": token, "progress": .number(JSONNumber(done)), "total": 1, "message": .string(message),
            ],
        ])
    }

    private static func result(text: String, _ document: JSONValue?, isError: Bool) -> JSONObject {
        var result: JSONObject = ["content": [["type": "text", "text": .string(text)]], "isError": .bool(isError)]
        result["structuredContent"] = document
        return result
    }

    private func perform(
        _ tool: ModelContextTool,
        _ values: JSONObject,
        _ key: ExactText
    ) throws(ToolProblem) -> JSONValue {
        try check(values, for: tool)
        let url = state.withLock { $0.server?.url }
        guard !tool.needsServer || url != nil else { throw ToolProblem(sentence: "no server runs; call serve first") }
        let words = try tool.words(values, clients: configuration.clients, url: url) { (path) throws(ToolProblem) in
            try resolve(path)
        }
        switch tool.name {
        case "serve":
            guard url == nil else { throw ToolProblem(sentence: "a server runs at \(url ?? ""); call stop first") }
            return try serve(words)
        case "stop":
            let server = state.withLock { state in
                defer { state.server = nil }
                return state.server
            }
            guard let server else { throw ToolProblem(sentence: "no server runs") }
            return server.stop()
        case "prove":
            try checkRepository()
            return try run(words, key)
        default: return try run(words, key)
        }
    }

    /// - Throws: ``ToolProblem`` unless the git repository around the project's folder is that folder: a proof checks out
    ///   all of the repository's files, and writes to it.
    private func checkRepository() throws(ToolProblem) {
        let top: String
        do {
            top = try ClientRepository(around: configuration.root, scratch: configuration.scratch).top
        } catch {
            throw ToolProblem(sentence: error.finding.message)
        }
        guard top.hasSameUTF8(as: configuration.root) else {
            throw ToolProblem(
                sentence: "the git repository \(top) contains more than the project's folder; "
                    + "start backlot mcp with --root \(top.shellWord)"
            )
        }
    }

    private func check(_ values: JSONObject, for tool: ModelContextTool) throws(ToolProblem) {
        let sentences: [String]
        do {
            sentences = try Schema.compile(tool.inputSchema).evaluate(.object(values)).leaves.map { violation in
                let place = violation.instance.description
                return (place.isEmpty ? "" : "\(place): ") + violation.sentence
            }
        } catch {
            throw ToolProblem(sentence: "the arguments cannot be checked")
        }
        guard sentences.isEmpty else { throw ToolProblem(sentence: sentences.joined(separator: "; ")) }
    }

    /// The path of a file in the project, relative to its folder.
    ///
    /// Links are resolved as far as the file or a folder above it exists.
    ///
    /// - Throws: ``ToolProblem`` for a file outside the project.
    private func resolve(_ path: String) throws(ToolProblem) -> String {
        let files = DiskFiles()
        let whole = FilePath.isAbsolute(path) ? path : FilePath.join(configuration.root, path)
        var existing = whole
        while files.resolve(existing) == nil, existing != FilePath.folder(of: existing) {
            existing = FilePath.folder(of: existing)
        }
        let isClean = !whole.split(separator: "/").contains("..") || existing == whole
        guard FilePath.isPath(path), isClean, let resolved = files.resolve(existing),
            FilePath.contains(configuration.root, resolved)
        else { throw ToolProblem(sentence: "\"\(path.printable)\" is not in the project's folder") }
        guard FilePath.isAbsolute(path) else { return path }
        let missing = whole.utf8.dropFirst(existing.utf8.count).drop { $0 == UInt8(ascii: "/") }
        let relative = FilePath.relative(FilePath.join(resolved, String(Substring(missing))), to: configuration.root)
        return relative.isEmpty ? "." : relative
    }

    private func run(_ words: [String], _ key: ExactText) throws(ToolProblem) -> JSONValue {
        let end: ProgramRun.End
        do {
            end = try ProgramRun([configuration.program] + words, in: configuration.root).end(
                scratch: configuration.scratch,
                started: { [self] child in
                    state.withLock { state in
                        state.calls[key] = .some(child)
                        if state.isOver || state.cancelled.contains(key) { Self.interrupt(child) }
                    }
                },
                ended: { [self] in state.withLock { $0.calls[key] = .some(nil) } }
            )
        } catch {
            throw ToolProblem(sentence: error.sentence)
        }
        guard let document = try? JSONParser().parse(end.output).root else {
            throw ToolProblem(sentence: "the command ended with exit code \(end.code) and without a result")
        }
        return document
    }

    private func serve(_ words: [String]) throws(ToolProblem) -> JSONValue {
        let options = ["--port", "0", "--until-input-ends", "--root", configuration.root, "--quiet"]
        let server = try ServerProcess([configuration.program] + words + options, in: configuration.root)
        guard server.url != nil else { return server.stop() }
        let isFirst = state.withLock { state in
            guard state.server == nil, !state.isOver else { return false }
            state.server = server
            return true
        }
        guard isFirst else {
            _ = server.stop()
            throw ToolProblem(sentence: "another call has started a server; call stop first")
        }
        return server.first
    }
}

// MARK: - Resources

extension ModelContextServer {
    /// A text that a client can read.
    private struct Resource {
        var uri: String
        var name: String
        var title: String
        var type: String

        var json: JSONValue {
            [
                "uri": .string(uri), "name": .string(name), "title": .string(title), "mimeType": .string(type),
            ]
        }
    }

    private static let report = "backlot:report/"
    private static let guide = "backlot:guide/"
    private static let file = "backlot:file/"

    /// The guides, the stories and contracts of the project, and the reports of this connection's runs.
    private var resources: [Resource] {
        let guides = Guide.all.map { guide in
            Resource(uri: Self.guide + guide.name, name: guide.name, title: guide.title, type: "text/markdown")
        }
        let documents = ["Scenarios", "Contracts"].flatMap { files(below: $0, depth: 3) }.map { path in
            let type = path.hasSuffix(".json") ? "application/json" : "application/yaml"
            return Resource(uri: Self.file + path, name: FilePath.name(of: path), title: path, type: type)
        }
        let reports = state.withLock { $0.reports.keys.sorted() }.map { name in
            Resource(uri: Self.report + name, name: name, title: "The last result of \(name)", type: "application/json")
        }
        return guides + documents + reports
    }

    private func files(below folder: String, depth: Int) -> [String] {
        let disk = DiskFiles()
        let names = disk.entries(of: FilePath.join(configuration.root, folder)).filter { !$0.hasPrefix(".") }
        return names.flatMap { name -> [String] in
            let path = "\(folder)/\(name)"
            // A link can lead out of the project.
            guard (try? resolve(path)) != nil else { return [] }
            if disk.isFolder(FilePath.join(configuration.root, path)) {
                return depth > 0 && name != "fixtures" ? files(below: path, depth: depth - 1) : []
            }
            return [".json", ".yaml", ".yml"].contains { path.hasSuffix($0) } ? [path] : []
        }
    }

    private func text(of resource: Resource) -> String? {
        if resource.uri.hasPrefix(Self.guide) { return Guide.all.first { $0.name == resource.name }?.markdown }
        if resource.uri.hasPrefix(Self.report) {
            return state.withLock { $0.reports[resource.name] }?.text(.pretty)
        }
        guard let path = try? resolve(String(resource.uri.dropFirst(Self.file.count))),
            let bytes = try? DiskFiles().read(FilePath.join(configuration.root, path))
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
