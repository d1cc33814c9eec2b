import Basics
import Checking
package import CommandLineInterface
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

    /// The file of this program, and its version.
    private let program: String
    private let version: String
    /// The folder outside of which no file is read or written, resolved.
    private let root: String
    /// The commands of clients by name.
    private let clients: [String: String]
    /// A folder for the output of processes.
    private let scratch: String
    private let tools: [ModelContextTool]
    private let state = Lock(State())
    private let write: @Sendable (JSONValue) -> Void

    /// - Parameter write: writes a message as one line; never called by two threads at once.
    package init(
        _ commands: CommandDescription,
        program: String,
        root: String,
        clients: [String: String],
        scratch: String,
        write: @escaping @Sendable (JSONValue) -> Void
    ) {
        (self.program, version, self.root) = (program, commands.version ?? "", root)
        (self.clients, self.scratch) = (clients, scratch)
        tools = ModelContextTool.all(commands, clients: clients.keys.sorted())
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
        let info: JSONValue = [
            "name": "backlot", "title": "Backlot", "version": .string(version),
        ]
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
        case "tools/list": succeed(["tools": .array(tools.map(\.json))], isList: true)
        case "resources/list": succeed(["resources": .array(resources.map { .object($0.description) })], isList: true)
        case "resources/templates/list": succeed(["resourceTemplates": []], isList: true)
        case "resources/read":
            let uri = params["uri"]?.string ?? ""
            guard let resource = resources.first(where: { $0.description["uri"] == .string(uri) }),
                let text = resource.text()
            else {
                let code = isModern ? -32_602 : -32_002
                return fail(id, code, "there is no resource \"\(uri.printable)\"", ["uri": .string(uri)])
            }
            var content: JSONObject = ["uri": .string(uri), "text": .string(text)]
            content["mimeType"] = resource.description["mimeType"]
            succeed(["contents": [.object(content)]], isList: true)
        case "tools/call":
            let name = params["name"]?.string ?? ""
            guard let tool = tools.first(where: { $0.name == name }) else {
                let advice = Suggestion.advice(for: name, among: tools.map(\.name)) ?? ""
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
            var result: JSONObject = [:]
            let text: String
            do throws(ProgramProblem) {
                let document = try perform(tool, params["arguments"]?.object ?? [:], key)
                state.withLock { $0.reports[tool.name] = document }
                text = document.text(.compact)
                (result["structuredContent"], result["isError"]) = (document, .bool(document["outcome"] == "error"))
            } catch {
                (text, result["isError"]) = (error.sentence, true)
            }
            result["content"] = [["type": "text", "text": .string(text)]]
            finish(key) { [result] in
                progress(token, 1, "\(tool.name) ended")
                succeed(result)
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

    private func perform(
        _ tool: ModelContextTool,
        _ values: JSONObject,
        _ key: ExactText
    ) throws(ProgramProblem) -> JSONValue {
        try check(values, for: tool)
        let url = state.withLock { $0.server?.url }
        guard !tool.needsServer || url != nil else {
            throw ProgramProblem(sentence: "no server runs; call serve first")
        }
        let words = try tool.words(values, clients: clients, url: url) { (path) throws(ProgramProblem) in
            try resolve(path)
        }
        switch tool.name {
        case "serve":
            guard url == nil else { throw ProgramProblem(sentence: "a server runs at \(url ?? ""); call stop first") }
            return try serve(words)
        case "stop":
            let server = state.withLock { state in
                defer { state.server = nil }
                return state.server
            }
            guard let server else { throw ProgramProblem(sentence: "no server runs") }
            return server.stop()
        default:
            if tool.name == "prove" { try checkRepository() }
            return try run(words, key)
        }
    }

    /// - Throws: ``ProgramProblem`` unless the git repository around the project's folder is that folder: a proof checks out
    ///   all of the repository's files, and writes to it.
    private func checkRepository() throws(ProgramProblem) {
        let top: String
        do {
            top = try GitRepository(around: root, scratch: scratch).top
        } catch {
            throw ProgramProblem(sentence: error.sentence)
        }
        guard top.exact == root.exact else {
            throw ProgramProblem(
                sentence: "the git repository \(top) contains more than the project's folder; "
                    + "start backlot mcp with --root \(top.shellWord)"
            )
        }
    }

    private func check(_ values: JSONObject, for tool: ModelContextTool) throws(ProgramProblem) {
        guard let evaluation = try? Schema.compile(tool.inputSchema).evaluate(.object(values)) else {
            throw ProgramProblem(sentence: "the arguments cannot be checked")
        }
        guard !evaluation.isValid else { return }
        let sentences = evaluation.leaves.map { "\($0.instance.description): \($0.sentence)" }
        throw ProgramProblem(sentence: sentences.joined(separator: "; "))
    }

    /// The path of a file in the project, relative to its folder.
    ///
    /// Links are resolved as far as the file or a folder above it exists.
    ///
    /// - Throws: ``ProgramProblem`` for a file outside the project.
    private func resolve(_ path: String) throws(ProgramProblem) -> String {
        let files = DiskFiles()
        let whole = FilePath.isAbsolute(path) ? path : FilePath.join(root, path)
        var existing = whole
        while files.resolve(existing) == nil, existing != FilePath.folder(of: existing) {
            existing = FilePath.folder(of: existing)
        }
        let isClean = !whole.split(separator: "/").contains("..") || existing == whole
        guard FilePath.isPath(path), isClean, let resolved = files.resolve(existing),
            FilePath.contains(root, resolved)
        else { throw ProgramProblem(sentence: "\"\(path.printable)\" is not in the project's folder") }
        guard FilePath.isAbsolute(path) else { return path }
        let missing = whole.utf8.dropFirst(existing.utf8.count).drop { $0 == UInt8(ascii: "/") }
        let relative = FilePath.relative(FilePath.join(resolved, String(Substring(missing))), to: root)
        return relative.isEmpty ? "." : relative
    }

    private func run(_ words: [String], _ key: ExactText) throws(ProgramProblem) -> JSONValue {
        let end = try ProgramRun([program] + words, in: root).end(
            scratch: scratch,
            started: { [self] child in
                state.withLock { state in
                    state.calls[key] = .some(child)
                    if state.isOver || state.cancelled.contains(key) { Self.interrupt(child) }
                }
            },
            ended: { [self] in state.withLock { $0.calls[key] = .some(nil) } }
        )
        guard let document = try? JSONParser().parse(end.output).root else {
            throw ProgramProblem(sentence: "the command ended with exit code \(end.code) and without a result")
        }
        return document
    }

    private func serve(_ words: [String]) throws(ProgramProblem) -> JSONValue {
        let options = ["--port", "0", "--until-input-ends", "--root", root, "--quiet"]
        let server: ServerProcess
        do {
            server = try ServerProcess([program] + words + options, in: root)
        } catch {
            throw ProgramProblem(sentence: "the server cannot be started: \(error)")
        }
        guard server.url != nil else { return server.stop() }
        let isFirst = state.withLock { state in
            guard state.server == nil, !state.isOver else { return false }
            state.server = server
            return true
        }
        guard isFirst else {
            _ = server.stop()
            throw ProgramProblem(sentence: "another call has started a server; call stop first")
        }
        return server.first
    }
}

// MARK: - Resources

extension ModelContextServer {
    /// A text that a client can read, with its description for `resources/list`.
    private struct Resource {
        var description: JSONObject
        var text: () -> String?

        init(_ uri: String, _ title: String, type: String, text: @escaping () -> String?) {
            let name = FilePath.name(of: uri)
            description = ["uri": .string("backlot:\(uri)"), "name": .string(name), "title": .string(title)]
            description["mimeType"] = .string(type)
            self.text = text
        }
    }

    /// The guides, the stories and contracts of the project, and the reports of this connection's runs.
    private var resources: [Resource] {
        let guides = Guide.all.map { guide in
            Resource("guide/\(guide.name)", guide.title, type: "text/markdown") { guide.markdown }
        }
        let documents = ["Scenarios", "Contracts"].flatMap { files(below: $0, depth: 3) }.map { path in
            let type = path.hasSuffix(".json") ? "application/json" : "application/yaml"
            return Resource("file/\(path)", path, type: type) { [root] in
                let bytes = try? DiskFiles().read(FilePath.join(root, path))
                return bytes.map { String(decoding: $0, as: UTF8.self) }
            }
        }
        let reports = state.withLock { $0.reports }.sorted { $0.key < $1.key }.map { name, report in
            Resource("report/\(name)", "The last result of \(name)", type: "application/json") { report.text(.pretty) }
        }
        return guides + documents + reports
    }

    private func files(below folder: String, depth: Int) -> [String] {
        let disk = DiskFiles()
        let names = disk.entries(of: FilePath.join(root, folder)).filter { !$0.hasPrefix(".") }
        return names.flatMap { name -> [String] in
            let path = "\(folder)/\(name)"
            // A link can lead out of the project.
            guard (try? resolve(path)) != nil else { return [] }
            if disk.isFolder(FilePath.join(root, path)) {
                return depth > 0 && name != "fixtures" ? files(below: path, depth: depth - 1) : []
            }
            return [".json", ".yaml", ".yml"].contains { path.hasSuffix($0) } ? [path] : []
        }
    }
}
