/// A backend that stores many items, as files in a folder.
struct StoredScenario {
    static let count = 10_000
    static let pageSize = 20

    let folder: ScratchFolder
    let path: String

    init() throws {
        folder = try ScratchFolder()
        let numbers = 0..<Self.count
        try folder.write("notes.json", Self.array(numbers.map { Self.note($0) }))
        try folder.write("posts.json", Self.array(numbers.map { Self.note($0) }))
        try folder.write("comments.json", Self.array(numbers.map { Self.comment($0) }))
        path = try folder.write("backend.json", Self.backend)
    }

    /// An item in the middle, which neither end of the list is near.
    static let oneTarget = "/notes/note-\(count / 2)"
    static let pageTarget = "/notes?limit=\(pageSize)"
    /// A page that begins in the middle.
    static let innerPageTarget = "/notes?limit=\(pageSize)&next=note-\(count / 2)"
    static let feedTarget = "/posts?limit=\(pageSize)"

    private static func array(_ items: [String]) -> String { "[\n\(items.joined(separator: ",\n"))\n]\n" }

    private static func note(_ number: Int) -> String {
        // A prime step goes once around all of them, so that they are not stored in the order of their times.
        let second = number * 7_919 % count
        let time = "2026-03-0\(1 + second / 3_600)T0\(second / 600 % 6):\(10 + second / 60 % 10):\(10 + second % 50)Z"
        return """
            {"id": "note-\(number)", "creator": "user-\(number % 4)", "time": "\(time)", "text": "Note \(number)"}
            """
    }

    private static func comment(_ number: Int) -> String {
        """
        {"id": "comment-\(number)", "post": "note-\(number / 3 * 3)", "creator": "user-\(number % 4)", "text": "Yes"}
        """
    }

    private static let backend = """
        {
          "backend": "Stored",
          "counters": { "note": 0 },
          "accounts": {
            \((0..<4).map { "\"user-\($0)\": {\"id\": \"user-\($0)\", \"nick\": \"U\($0)\"}" }.joined(separator: ", "))
          },
          "collections": {
            "notes": { "items": "notes.json" },
            "posts": { "items": "posts.json", "embed": {
              "/creator": { "one": "accounts", "where": {"/id": "{{item#/creator}}"}, "show": ["id", "nick"] },
              "/comments": { "all": "comments", "where": {"/post": "{{item#/id}}"}, "show": ["id", "text", "creator"] }
            } },
            "comments": { "items": "comments.json", "embed": {
              "/creator": { "one": "accounts", "where": {"/id": "{{item#/creator}}"}, "show": ["id", "nick"] }
            } }
          },
          "routes": {
            "GET /notes/{id}": {
              "find": { "note": { "one": "notes", "where": {"/id": "{{request.path.id}}"} } },
              "json": { "note": "{{found.note}}" } },
            "GET /notes": { "find": { "page": \(page(of: "notes")) }, "json": "{{found.page}}" },
            "GET /posts": { "find": { "page": \(page(of: "posts")) }, "json": "{{found.page}}" },
            "POST /notes": {
              "then": [ { "create": "notes", "as": "note", "item":
                { "id": "new-{{counter.note}}", "creator": "user-1", "time": "2026-04-01T00:00:00Z", "text": "New" } } ],
              "json": { "note": "{{found.note}}" } },
            "DELETE /notes/{id}": {
              "find": { "note": { "one": "notes", "where": {"/id": "{{request.path.id}}"} } },
              "cases": [ { "when": { "found": { "note": false } }, "status": 404, "empty": true } ],
              "then": [ { "delete": "note" } ], "status": 204 }
          }
        }

        """

    private static func page(of collection: String) -> String {
        """
        { "all": "\(collection)", "orderBy": "/time", "descending": true, "page": { "after": \
        "{{request.query.next ?? \\"0\\"}}", "at": "/id", "start": ["0"], "end": "0", \
        "limit": "{{request.query.limit as number ?? 20}}" } }
        """
    }
}
