import Basics
import HTTPCodec
import JSON
import TestSupport
import Testing

@testable import ScenarioFormat

/// A backend that uses every key there is, and a story that changes it.
@Suite
struct `A scenario with everything in it` {
    private static let folder = Project.folder + "/Tests/ScenarioFormatTests/Everything"

    private func load(_ name: String) throws -> LoadedScenario {
        let files = DiskFiles()
        let root = try #require(ProjectRoot(Project.folder, files: files))
        return try ScenarioLoader(files: files, project: root).load("\(Self.folder)/\(name)")
    }

    @Test
    func `uses every key of every object`() throws {
        let roots = try ["backend", "issuer"].map { name in
            try JSONParser().parse(try Golden.text(of: "\(Self.folder)/\(name).json")).root
        }
        let used = Set(roots.flatMap { Sites(of: $0).keys.map { Self.family($0.owner, $0.name) } })
        let known = ObjectShape.all.flatMap { shape in
            shape.keys.map { Self.family(shape.name, $0.name) }
        }
        let unused = Set(known).subtracting(used).subtracting(["scenario.extends", "scenario.variants"])
        #expect(unused.sorted() == [])
    }

    /// Objects that share keys: one of them is enough.
    private static func family(_ owner: String, _ key: String) -> String {
        switch owner {
        case "route", "fallback", "branch", "guardRule": "response.\(key)"
        case "requestExpectation": "requestPattern.\(key)"
        case "variant": "scenario.\(key)"
        case "routeHold": "hold.\(key)"
        case "expireEvent" where key == "device", "revokeEvent" where key == "device": "forgetEvent.device"
        default: "\(owner).\(key)"
        }
    }

    @Test(arguments: ["backend.json", "story.json", "issuer.json"])
    func `loads without a finding`(name: String) throws {
        #expect(try load(name).findings.map(\.description) == [])
    }

    @Test
    func `is read as it stands`() throws {
        let scenario = try load("backend.json").scenario
        #expect(scenario.backend == "Everything")
        #expect(scenario.story?.id == "everything" && scenario.story?.reproduces == ["none/1"])
        #expect(scenario.story?.bugClasses == [.refreshStorm, .retryAfterIgnored] && scenario.story?.isUIOnly == true)
        #expect(scenario.story?.isSilent == false)
        #expect(scenario.exemptions.map(\.rule) == [.refreshStorm, .uploadRestarted])
        #expect(scenario.exemptions.map(\.reason) == ["it has one request", "nothing is sent up"])
        #expect(scenario.contract?.path == "\(Self.folder)/fixtures/openapi.json")
        #expect(scenario.undocumented == .warn && scenario.fill == .off)
        #expect(scenario.clock.start == VirtualTime("2026-03-01T09:00:00Z"))
        #expect(scenario.clock.mode == .running(rate: 60) && scenario.clock.skew == .seconds(-300))
        #expect(scenario.seed == 42)
        #expect(scenario.accounts.map(\.name) == ["ada", "bob"])
        #expect(scenario.accounts[0].data == ["id": 7, "name": "Ada", "plan": .null])
        #expect(scenario.deviceHeader == "X-Device")
        #expect(scenario.states.map(\.scope) == [.session, .device])
        #expect(scenario.counters.map(\.start) == [100])
        #expect(scenario.earlyGuards.isEmpty && scenario.lateGuards.map(\.name) == ["one at a time"])
        #expect(scenario.routes.map(\.key.text) == ["POST /login", "GET /notes/{id}", "POST /token", "POST /notes"])
        #expect(scenario.routes.map(\.uploadRate) == [16_000, 16_000, 16_000, 16_000])
        #expect(scenario.gates.map(\.name) == ["notes", "gate 2", "GET /notes/{id}"])
        #expect(
            scenario.unmatched?.allResponses.map(\.status) == [404] && scenario.unmatched?.requirements.isEmpty == true
        )
        #expect(scenario.wrongMethod?.allResponses.map(\.status) == [501, 200, 405])
        #expect(scenario.wrongMethod?.requirements.map(\.kind) == ["access"])
        #expect(scenario.given.map(\.ago) == [.seconds(86_400), nil, nil])
        #expect(scenario.timeline.count == 10 && scenario.expectations.count == 10)
    }

    @Test
    func `has its collections read as they stand`() throws {
        let scenario = try load("backend.json").scenario
        #expect(scenario.collections.map(\.name) == ["notes", "tags", "files", "accounts"])
        #expect(scenario.collections.map(\.scope) == [.session, .account, .session, .session])
        #expect(scenario.collections.map(\.items.count) == [1, 1, 0, 0])
        #expect(scenario.collections[0].embeds.map(\.selection.isSingle) == [true, false])
        let route = try #require(scenario.routes.last)
        #expect(route.finds.map(\.name) == ["all", "some", "more", "rest", "me", "file"])
        let list = route.finds[0].selection
        #expect(list.order == JSONPointer("/id") && list.isDescending && list.sum == JSONPointer("/id"))
        #expect(list.page?.maximum == 50)
        guard case .after(let cursor)? = list.page?.start else {
            Issue.record("the page begins after an item")
            return
        }
        #expect(cursor.starts == [0, ""] && cursor.end == "0")
        let changes = try #require(route.responses.own?.changes).map { change -> String in
            guard case .change(let item) = change.action else { return "tokens" }
            return item.boundName ?? "items"
        }
        #expect(
            changes == [
                "note", "items", "new", "items", "items", "items", "files", "tokens", "tokens", "tokens", "tokens",
            ]
        )
    }

    @Test
    func `has its tokens read as they stand`() throws {
        let tokens = try load("backend.json").scenario.tokens
        let access = try #require(tokens.kind(named: "access"))
        #expect(access.lifetime == .seconds(900) && access.format == .jwt && access.hasIdentifier)
        #expect(
            access.carriers == [
                TokenCarrier(.header("Authorization"), scheme: "Bearer", isExact: true), TokenCarrier(.query("token")),
            ]
        )
        #expect(access.rejections.map(\.standing) == [.expired, nil])
        let refresh = try #require(tokens.kind(named: "refresh"))
        #expect(refresh.format == .opaque && !refresh.hasIdentifier && refresh.multiplicity == .device)
        #expect(refresh.rotation?.grace == .seconds(10) && refresh.rotation?.reuse == .revokeDevice)
        #expect(refresh.terminalStatuses == [401, 403])
        let social = try #require(tokens.kind(named: "social"))
        #expect(social.isForeign && social.carriers.count == 1 && social.rejections.map(\.standing) == [.wrongKind])
        #expect(
            tokens.interchangeable == .kinds(["refresh"]) && tokens.stored == .account
                && tokens.key == Array("secret".utf8)
        )
        #expect(tokens.signOut.revoked == ["access"] && tokens.signOut.forgotten == ["refresh"])
    }

    @Test
    func `has its responses read as they stand`() throws {
        let route = try load("backend.json").scenario.routes[1]
        let requirement = try #require(route.requirements.first)
        #expect(requirement.accepted == [.valid, .expired] && requirement.carriers == [TokenCarrier(.query("t"))])
        let branch = try #require(route.cases.first)
        #expect(branch.responses.afterLast == .own && branch.responses.own?.status == 202)
        let responses = branch.responses.listed
        #expect(responses.map(\.status) == [500, 200, 200, 200, 200])
        #expect(responses.map(\.breaks) == ["nobody documents it", nil, nil, nil, nil])
        #expect(responses[0].fault == Fault(kind: .reset, probability: 1, keep: 0.5, commits: false))
        #expect(responses[0].latency?.distribution == .fixed(.seconds(1)))
        #expect(responses[0].pacing == .bandwidth(bytesPerSecond: 2_000_000))
        #expect(responses[2].pacing == .dribble(chunks: 2, over: .milliseconds(100)))
        #expect(responses[1].pacing == .dribble(chunks: 3, over: .seconds(1)))
        #expect(responses[1].fault == Fault(kind: .truncated, probability: 0.5, keep: 0.25, commits: false))
        guard case .bytes(let bytes, "image/png") = responses[1].body else { return #expect(Bool(false), "no picture") }
        #expect(bytes == [0x89, 0x50, 0x4E, 0x47])
        #expect(
            responses[2].latency
                == Latency(distribution: .uniform(.milliseconds(50), .milliseconds(200)), isVirtual: true)
        )
        #expect(responses[0].headers.map(\.name) == ["X-Served-By", "Vary", "Vary"])
        #expect(route.responses.own?.headers.map(\.name) == ["X-Served-By", "Vary", "Vary", "ETag"])
    }

    @Test
    func `has its other servers read as they stand`() throws {
        let origin = try #require(try load("backend.json").scenario.origins.first)
        #expect(origin.name == "images" && origin.acceptedKinds == ["access"])
        let route = try #require(origin.routes.first)
        #expect(route.key.text == "GET /a.png" && route.requirements.map(\.kind) == ["access"])
        #expect(route.cases.first?.responses.own?.status == 404)
        guard case .bytes(_, "image/png") = route.responses.own?.body else { return #expect(Bool(false), "no picture") }
    }

    @Test
    func `tells where a fixture was read from`() throws {
        let loaded = try load("backend.json")
        let fixture = try #require(loaded.scenario.routes[0].responses.own?.fixture)
        #expect(fixture.path == "\(Self.folder)/fixtures/tokens.json")
        #expect(loaded.sources.paths[Int(fixture.document)] == fixture.path)
        #expect(loaded.scenario.routes[1].responses.own?.fixture == nil)
    }

    @Test
    func `is changed by a story`() throws {
        let loaded = try load("story.json")
        let scenario = loaded.scenario
        #expect(scenario.backend == "Everything else" && scenario.seed == 1)
        #expect(scenario.tokens.kinds.map(\.lifetime) == [.seconds(60), .seconds(2_592_000), .seconds(60), .zero])
        #expect(scenario.tokens.kinds[0].carriers == [TokenCarrier(.header("Authorization"), scheme: "Bearer")])
        #expect(scenario.tokens.kinds[1].carriers == [TokenCarrier(.query("r"))])
        let login = try #require(scenario.routes.first?.responses.own)
        #expect(login.grants.isEmpty && login.signIn == nil)
        guard case .bytes(let bytes, "text/plain; charset=utf-8") = login.body else {
            return #expect(Bool(false), "no text")
        }
        #expect(bytes == Array("closed".utf8))
        #expect(scenario.given.count == 2 && scenario.timeline.count == 10)
        #expect(scenario.gates.map(\.name) == ["gate 1", "GET /notes/{id}"])
        #expect(loaded.watched.map(FilePath.name) == ["story.json", "backend.json", "notes.json", "picture.png"])
    }
}
