import BacklotTesting
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The client that waits for a job, of the guide to other styles of clients.
@Suite struct `A call that waits for a job` {
    /// With examples that show a job in progress, and without.
    @Test(arguments: [#""example": { "id": 7, "state": "running" },"#, ""])
    func `may return the job that is done`(example: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.contract(example), to: "openapi.json")
        let jobs = ClientUnderTest("Jobs", contract: folder.path + "/openapi.json") { setting in
            JobsClient(setting)
        } session: { _ in
            .none
        } calls: {
            Call("createJob") { client in
                var job = try await client.createJob()
                while job.state == .queued || job.state == .running {
                    try await client.clock.sleep(for: .seconds(2))
                    job = try await client.job(job.id)
                }
                return job
            }
            .accompanied(by: "getJob")
            Call("getJob") { client in try await client.job(7) }
        }
        for report in [try await jobs.testDocumentedResponses(), try await jobs.testResponseVariants()] {
            #expect(report.passed, "\(report)")
        }
    }

    @Test(arguments: [true, false])
    func `may use the platform's networking`(isAccompanied: Bool) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.contract(#""example": { "id": 7, "state": "running" },"#), to: "openapi.json")
        let jobs = ClientUnderTest("Jobs", contract: folder.path + "/openapi.json") { setting in
            JobsClient(setting, session: URLSession(configuration: .ephemeral))
        } session: { _ in
            .none
        } calls: {
            let call = Call("createJob") { (client: JobsClient) in
                var job = try await client.createJob()
                while job.state == .queued || job.state == .running {
                    try await client.clock.sleep(for: .seconds(2))
                    job = try await client.job(job.id)
                }
                return job
            }
            if isAccompanied { call.accompanied(by: "getJob") } else { call }
        }
        .overURLSession()
        let report = try await jobs.testDocumentedResponses()
        #expect(report.passed == isAccompanied, "\(report)")
    }

    private static func contract(_ example: String) -> String {
        let body = """
            "content": { "application/json": { \(example) "schema": {
              "type": "object", "required": ["id", "state"], "properties": {
                "id": { "type": "integer" }, "state": { "enum": ["queued", "running", "failed", "done"] } } } } }
            """
        return """
            { "openapi": "3.1.0", "info": { "title": "Jobs", "version": "1" }, "paths": {
              "/jobs": { "post": { "operationId": "createJob", "responses": {
                "202": { "description": "accepted", \(body) } } } },
              "/jobs/{id}": {
                "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "integer" } }],
                "get": { "operationId": "getJob", "responses": { "200": { "description": "a job", \(body) } } } } } }
            """
    }
}

private struct Job: Codable, Sendable {
    enum State: String, Codable { case queued, running, failed, done, unknown }

    var id: Int64
    var state: State

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        id = try members.decode(Int64.self, forKey: .id)
        state = State(rawValue: try members.decode(String.self, forKey: .state)) ?? .unknown
    }
}

private struct JobsClient: Sendable {
    let clock: TestClock
    private let url: URL
    private let send: @Sendable (URLRequest) async throws -> (Data, HTTPURLResponse)

    init(_ setting: TestSetting) {
        clock = setting.clock
        url = setting.url.appendingPathComponent("jobs")
        send = setting.send
    }

    init(_ setting: TestSetting, session: URLSession) {
        clock = setting.clock
        url = setting.url.appendingPathComponent("jobs")
        send = { request in
            let (body, response) = try await session.data(for: request)
            guard let head = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
            return (body, head)
        }
    }

    func createJob() async throws -> Job {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        return try await job(answering: request)
    }

    func job(_ id: Int64) async throws -> Job {
        try await job(answering: URLRequest(url: url.appendingPathComponent("\(id)")))
    }

    private func job(answering request: URLRequest) async throws -> Job {
        let (body, response) = try await send(request)
        guard 200..<300 ~= response.statusCode else { throw URLError(.badServerResponse) }
        return try JSONDecoder().decode(Job.self, from: body)
    }
}
