import Basics
import Checking
import ClientTesting
import Foundation
import OpenAPI

/// A client under test, as the checks know clients.
struct AdaptedClient<Client: Sendable>: ClientAdapter {
    let client: ClientUnderTest<Client>
    /// The path of the contract; empty if the client has none.
    let contract: String
    /// The path of the stories.
    let stories: String?

    /// - Throws: ``TestProblem`` when the contract or the stories are not there.
    init(_ client: ClientUnderTest<Client>) throws(TestProblem) {
        self.client = client
        if let problem = client.calls.lazy.compactMap(\.problem).first { throw TestProblem(problem) }
        contract = try client.paths.findContract() ?? ""
        stories = try client.paths.findStories()
    }

    var name: String { client.name }
    var tokens: [String: String] { client.tokens }
    var omissions: [String: String] { client.omissions }
    var isComplete: Bool { false }
    var refusals: SessionRefusals { client.refusals }

    func makeStore(_ tokens: [String: String]) -> (any ClientStore)? { TestVault(tokens) }

    func makeClient(_ setting: ClientSetting) async throws -> Client {
        try await client.makeClient(try TestSetting(setting))
    }

    var operations: [ClientOperation<Client>] {
        client.calls.map { call in
            ClientOperation(
                call.operationID,
                role: call.role,
                root: call.root,
                drops: call.drops,
                tolerances: call.tolerances,
                answers: call.answers,
                grants: call.grants,
                accompanying: call.accompanying
            ) { [encoder = client.encoder] client in
                try await CrashNotes.during(call.operationID, at: call.location) {
                    try await call.ask(client, encoder())
                }
            }
        }
    }

    var flows: [String: StoryFlow<Client>] {
        Dictionary(grouping: client.flows, by: \.story).mapValues { flows in
            { client, context in
                guard
                    let flow = flows.first(where: { $0.process == context.process })
                        ?? flows.first(where: { $0.process == nil })
                else {
                    let process = context.process.map { "the process \"\($0)\" of " } ?? ""
                    throw TestProblem("\(process)the story \"\(context.story)\" has no flow")
                }
                try await CrashNotes.during("the story \(context.story)", at: flow.location) {
                    try await flow.play(client, FlowContext(context: context))
                }
            }
        }
    }

    func session(of client: Client) async -> ObservedSession { await self.client.session(client) }

    func name(of error: any Error) -> String { (error as? TestProblem)?.description ?? client.nameOfError(error) }

    func decodingError(in error: any Error) -> DecodingError? { client.decodingError(error) ?? error as? DecodingError }

    var isOnPlatform: Bool { client.isOnURLSession }

    /// A separate one for each client, because the transport of a `URLSession` distinguishes clients by
    /// their origin.
    func host() -> String { ClientHosts.next() }

    func command(playing story: String, seed: UInt64, processes: Int) -> String {
        let copies = processes > 0 ? "processes: \(processes), " : ""
        return "testStories(\"\(story)\", \(copies)seed: \(seed))"
    }
}

/// Numbers clients by addresses of this machine: 127.1.0.1, 127.1.0.2 and so on.
private enum ClientHosts {
    private static let count = Lock(0)

    static func next() -> String {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return "127.\(1 + number / 64_516 % 254).\(number / 254 % 254).\(1 + number % 254)"
    }
}

extension AdaptedClient {
    /// Reads the contract.
    ///
    /// - Parameter patterns: the operations that are selected.
    /// - Throws: ``TestProblem`` when the contract cannot be used, or no pattern selects anything of it.
    func loadContract(with patterns: [String]) throws(TestProblem) -> Contract {
        let loaded = try loadContract()
        let known = loaded.operations.map(\.id) + operations.map(\.id)
        for pattern in patterns where !known.contains(where: NamePattern(pattern).fits) {
            let advice = Suggestion.nearest(to: pattern, among: known).map { "; did you mean \($0)?" } ?? ""
            throw TestProblem("\(contract) contains no operation \"\(pattern)\"\(advice)")
        }
        return loaded
    }

    /// Reads an earlier revision of the contract.
    ///
    /// - Parameters:
    ///   - revision: a file, or a git revision.
    ///   - contract: the contract as it is.
    func loadContract(
        since revision: String,
        before contract: Contract,
        seed: UInt64
    ) throws(TestProblem) -> EarlierContract {
        let text = client.paths.findFile(revision) ?? revision
        let scratch = FileManager.default.temporaryDirectory.path
        let earlier: EarlierRevision
        do throws(GitProblem) {
            earlier = try EarlierRevision(text, around: FilePath.folder(of: contract.path), scratch: scratch)
        } catch {
            throw TestProblem(error.sentence)
        }
        let old: Contract?
        do throws(ContractError) {
            old = try earlier.contract(at: contract.path)
        } catch {
            throw TestProblem(error.findings.map(\.description).joined(separator: "\n"))
        }
        guard let old else { throw TestProblem("the contract \(contract.path) did not exist in \(revision)") }
        return EarlierContract(old, before: contract, in: earlier, seed: seed)
    }

    private func loadContract() throws(TestProblem) -> Contract {
        guard !contract.isEmpty else {
            throw TestProblem(
                "\(name) has no contract; set the path of its OpenAPI file, such as contract: \"openapi.json\""
            )
        }
        let files = DiskFiles()
        guard let project = ProjectRoot(enclosing: contract, files: files) else {
            throw TestProblem("the contract \(contract) cannot be read")
        }
        do throws(ContractError) {
            return try ContractLoader(files: files, project: project).load(contract)
        } catch {
            throw TestProblem(error.findings.map(\.description).joined(separator: "\n"))
        }
    }
}
