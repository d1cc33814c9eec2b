import Basics
import JSON
import Rules
import ScenarioFormat
import Simulation
import Testing

/// Expectations of what is stored at the end, with collections that meet them and others that do not.
@Suite struct `An expectation of stored items` {
    private static let backend = """
        "accounts": {"ann": {}, "bob": {}},
        "collections": {"posts": {}, "lectures": {"per": "account"}},
        "routes": {"GET /posts": {"json": []}}
        """

    private static let posts = FinalCollection(
        name: "posts",
        items: [
            ["id": 1, "title": "Tea", "likes": ["ann"]], ["id": 2, "title": "Bread", "likes": []],
            ["id": 3, "title": "Tea", "likes": []],
        ]
    )
    private static let lectures = [
        FinalCollection(
            name: "lectures",
            account: "ann",
            items: [["id": 1, "done": true], ["id": 2, "done": false]]
        ),
        FinalCollection(name: "lectures", account: "bob", items: [["id": 1, "done": true]]),
    ]

    private static func judge(
        _ expectation: String,
        _ collections: [FinalCollection]
    ) throws -> Judgement {
        let loaded = try LoadedScenario(members: "\(backend), \"expect\": [\(expectation)]")
        let now = MonotonicTime(nanoseconds: 1_000_000_000)
        var evidence = Evidence(loaded.session(at: now), at: now)
        evidence.collections = collections
        return try #require(
            Verdict(on: loaded.scenario, by: evidence, in: loaded.sources).expectations.first
        )
    }

    @Test(arguments: [
        (#"{"items": "posts"}"#, "at least one item of posts at the end"),
        (
            #"{"items": "posts", "where": {"/title": "Tea"}, "count": 2}"#,
            #"2 items of posts with /title equal to "Tea" at the end"#
        ),
        (
            #"{"items": "posts", "where": {"/title": {"startsWith": "T"}, "/likes": {"contains": "ann"}}, "count": 1}"#,
            #"one item of posts with /title starting with "T" and /likes containing "ann" at the end"#
        ),
        (
            #"{"items": "posts", "where": {"/title": "Jam"}, "count": 0}"#,
            #"no item of posts with /title equal to "Jam" at the end"#
        ),
        (#"{"items": "posts", "count": {"atLeast": 2, "atMost": 4}}"#, "2 to 4 items of posts at the end"),
        (#"{"items": "posts", "count": {"atMost": 4}}"#, "at most 4 items of posts at the end"),
        (
            #"{"items": "lectures", "where": {"/done": true}, "count": 1, "account": "ann"}"#,
            "one item of lectures of ann with /done equal to true at the end"
        ),
        (
            #"{"items": "lectures", "where": {"/done": true}, "count": 2}"#,
            "2 items of lectures with /done equal to true at the end"
        ),
    ])
    func `holds where so many items are as it says`(expectation: String, message: String) throws {
        let judged = try Self.judge(expectation, [Self.posts] + Self.lectures)
        #expect(judged.sentence == message)
        #expect(judged.status == .held && judged.id == "expect/items")
    }

    @Test(arguments: [
        (
            #"{"items": "posts", "where": {"/title": "Jam"}, "count": 1}"#,
            #"no item matches; the nearest match is item 3, whose /title is "Tea""#
        ),
        (
            #"{"items": "posts", "where": {"/title": "Tea", "/likes": {"contains": "bob"}}, "count": 1}"#,
            "no item matches; the nearest match is item 3, whose /likes is []"
        ),
        (
            #"{"items": "posts", "where": {"/id": 2, "/title": "Jam", "/time": "now"}, "count": 1}"#,
            #"no item matches; the nearest match is item 2, whose /title is "Bread" and which lacks /time"#
        ),
        (#"{"items": "posts", "where": {"/title": "Tea"}, "count": 1}"#, "there are 2: items 1 and 3"),
        (#"{"items": "posts", "where": {"/title": "Bread"}, "count": 0}"#, "there is one: item 2"),
        (
            #"{"items": "posts", "where": {"/title": "Tea"}, "count": 3}"#,
            #"there are 2: items 1 and 3; the nearest match is item 2, whose /title is "Bread""#
        ),
        (#"{"items": "posts", "count": 4}"#, "there are 3: items 1, 2 and 3"),
        (
            #"{"items": "lectures", "where": {"/done": false}, "account": "bob"}"#,
            "no item matches; the nearest match is item 1 of bob, whose /done is true"
        ),
        (
            #"{"items": "lectures", "where": {"/done": true}, "count": 1}"#,
            "there are 2: item 1 of ann and item 1 of bob"
        ),
        (#"{"items": "accounts", "where": {"/nick": "x"}}"#, "no item matches, since accounts is empty"),
        (#"{"items": "lectures", "account": "ann", "count": 9}"#, "there are 2: item 1 of ann and item 2 of ann"),
    ])
    func `fails with what there is instead, and with the nearest item`(expectation: String, happened: String) throws {
        let judged = try Self.judge(expectation, [Self.posts] + Self.lectures)
        #expect(judged.sentence.hasPrefix("expected "))
        #expect(judged.sentence.hasSuffix(", but " + happened), "\(judged.sentence)")
        #expect(judged.status == .failed && judged.id == "expect/items")
    }

    @Test func `does not list very many`() throws {
        let many = FinalCollection(name: "posts", items: (1...20).map { ["id": .number(JSONNumber($0))] })
        let judged = try Self.judge(#"{"items": "posts", "count": 1}"#, [many])
        #expect(judged.sentence.hasSuffix("there are 20: items 1, 2, 3, 4, 5, 6, 7, 8 and 12 more"))
    }
}
