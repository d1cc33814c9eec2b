import Basics
import JSON
import ScenarioFormat

extension StubDraft {
    /// Reads a `db.json` of json-server: a collection with its six routes for each list, and three for each object.
    ///
    /// - Returns: `nil` for a document that is not one: at least one list of objects with `id`, and in addition to such lists
    ///   nothing but objects and empty lists. In a file named `db.json` the objects need no `id`.
    init?(jsonServer root: JSONValue, file: String) {
        self.init("json-server", file: file)
        begin(root, of: file)
        let isDatabase = FilePath.name(of: file) == "db.json"
        let members = (root.object?.members ?? []).filter { $0.name != "$schema" }
        let isMade = members.allSatisfy { member in
            let isName = !member.name.isEmpty && DraftText.name(member.name) == member.name
            let items = member.value.array
            return isName
                && (items?.allSatisfy { $0["id"] != nil || isDatabase && $0.object != nil }
                    ?? (member.value.object != nil))
        }
        guard isMade, members.contains(where: { !($0.value.array ?? []).isEmpty }) else { return nil }
        for member in members {
            if let items = member.value.array {
                addResource("/\(member.name)", named: member.name, items)
            } else {
                addSingle("/\(member.name)", named: member.name, member.value)
            }
        }
    }

    /// Adds an object that can be read and changed.
    private mutating func addSingle(_ path: String, named name: String, _ value: JSONValue) {
        let collection = collectionName(name)
        setMember(.collections, collection, .scenario([.items: [DraftText.literal(value)]]))
        let found: JSONValue = ["item": .selection([.one: .string(collection)])]
        routes["GET \(path)"] = .route([.find: found, .json: "{{found.item}}"])
        let names = value.object?.names ?? []
        addChanges(path, found, nil, names)
    }

    private static let mostFilters = 12
    private static let mostSorts = 6
    private static let mostSortedItems = 500

    /// Adds a list of items with its routes: the list with filters, order and pages, one item, and its changes.
    mutating func addResource(_ path: String, named name: String, _ items: [JSONValue]) {
        let collection = collectionName(name)
        let counter = "\(collection)-id"
        setMember(.collections, collection, .scenario([.items: .array(items.map { DraftText.literal($0) })]))
        setMember(.counters, counter, .number(items.compactMap(Self.number).max() ?? 0))
        var names: [String] = []
        var scalars: [String: JSONValue] = [:]
        for item in items {
            for member in item.object?.members ?? [] where !member.name.contains("}") && !member.name.contains("{") {
                if !names.contains(member.name.exact) { names.append(member.name) }
                if member.value.array == nil, member.value.object == nil, !member.value.isNull {
                    scalars[member.name] = scalars[member.name] ?? member.value
                }
            }
        }
        let isText = items.first?["id"]?.string != nil
        var item: JSONObject = ["id": .string(isText ? "{{counter.\(counter) as text}}" : "{{counter.\(counter)}}")]
        for member in names where member != "id" { item[member] = .string(Self.sent(member) + " ?? omit}}") }
        addList(path, collection, names.filter { scalars[$0] != nil }, scalars, items.count)
        let one: JSONValue = [
            "item": .selection([.one: .string(collection), .where: ["/id": "{{request.path.id}}"]])
        ]
        let isGone: JSONValue = .condition([.found: ["item": false]])
        let gone: JSONValue = [.route([.when: isGone, .status: 404, .json: [:]])]
        routes["GET \(path)/{id}"] = .route([.find: one, .cases: gone, .json: "{{found.item}}"])
        routes["POST \(path)"] = .route([
            .then: [.event([.create: .string(collection), .item: .object(item), .as: "item"])],
            .status: 201, .json: "{{found.item}}",
        ])
        addChanges("\(path)/{id}", one, gone, names.filter { $0 != "id" })
        routes["DELETE \(path)/{id}"] = .route([
            .find: one, .cases: gone, .then: [.event([.delete: "item"])], .json: [:],
        ])
    }

    private static func number(_ item: JSONValue) -> Int? {
        item["id"]?.int ?? item["id"]?.string.flatMap { Int($0) }
    }

    /// The beginning of a placeholder for a member of the request's body.
    private static func sent(_ member: String) -> String {
        "{{request.body#\(JSONPointer(tokens: [member]).description)"
    }

    /// The name "accounts" is that of the users who sign in.
    private func collectionName(_ name: String) -> String {
        let plain = DraftText.name(name)
        let taken = backend[.collections]?.object?.names ?? []
        var names = Set(taken + ["accounts"])
        return plain == "accounts"
            ? names.take("accounts-list", numberedAfter: "-") : names.take(plain, numberedAfter: "-")
    }

    private mutating func setMember(_ section: DraftKeys.Scenario, _ name: String, _ value: JSONValue) {
        var object = backend[section]?.object ?? JSONObject()
        object[name] = value
        backend[section] = .object(object)
    }

    /// PATCH changes the members that are sent, PUT replaces all but the id.
    private mutating func addChanges(
        _ path: String,
        _ found: JSONValue,
        _ gone: JSONValue?,
        _ changeable: [String]
    ) {
        let pointers = changeable.map { (name: $0, pointer: JSONPointer(tokens: [$0]).description) }
        guard !pointers.isEmpty else { return }
        let set = JSONValue.object(
            JSONObject(pointers.map { ($0.pointer, .string(Self.sent($0.name) + " ?? omit}}")) })
        )
        let change: JSONValue = .event([.update: "item", .set: set])
        let removal: JSONValue = .event([.update: "item", .unset: .strings(pointers.map(\.pointer))])
        for (method, events) in [("PUT", [removal, change]), ("PATCH", [change])] as [(String, JSONValue)] {
            routes["\(method) \(path)"] = .route([
                .find: found, .cases: gone, .then: events, .json: "{{found.item}}",
            ])
        }
    }

    /// The list: filters by members, `_sort` and `_order`, `_page` and `_limit` (json-server 0.17).
    private mutating func addList(
        _ path: String,
        _ collection: String,
        _ names: [String],
        _ samples: [String: JSONValue],
        _ count: Int
    ) {
        let filtered = names.prefix(Self.mostFilters)
        let sorted = count <= Self.mostSortedItems ? names.prefix(Self.mostSorts) : []
        var comments = ["left out: q, _like and relations (_embed, _expand); use \"where\" and \"embed\" instead"]
        for (what, left) in [
            ("filters by", names.dropFirst(filtered.count)), ("_sort by", names.dropFirst(sorted.count)),
        ]
        where !left.isEmpty {
            comments.append("left out: \(what) \(left.prefix(20).joined(separator: ", "))")
        }
        let condition = Self.filter(Array(filtered), samples)
        func selection(_ order: (name: String, isDescending: Bool)?, limit: String) -> JSONValue {
            .selection([
                .all: .string(collection),
                .when: condition?.json,
                .orderBy: order.map { .string(JSONPointer(tokens: [$0.name]).description) },
                .descending: order?.isDescending ?? false ? true : nil,
                .page: .selection([
                    .number: "{{request.query._page ?? 1}}", .first: 1,
                    .limit: .string("{{request.query._limit ?? \(limit)}}"),
                ]),
            ])
        }
        var finds = JSONObject()
        var cases: [JSONValue] = []
        func add(_ name: String, _ order: (name: String, isDescending: Bool)?, when conditions: [DraftCondition]) {
            finds["\(name)-page"] = selection(order, limit: "10")
            finds[name] = selection(order, limit: "1000000")
            let paged = DraftCondition(.query, "_page", [.exists: true])
            cases.append(
                .route([
                    .when: .condition(.all(conditions + [paged])),
                    .headers: ["X-Total-Count": .string("{{found.\(name)-page#/total}}")],
                    .json: .string("{{found.\(name)-page#/items}}"),
                ])
            )
            guard !conditions.isEmpty else { return }
            cases.append(
                .route([.when: .condition(.all(conditions)), .json: .string("{{found.\(name)#/items}}")])
            )
        }
        for (index, name) in sorted.enumerated() {
            let isSorted: DraftCondition = [.query: ["_sort": .string(DraftText.literal(name))]]
            var isDescending = isSorted
            isDescending.require(.query, "_order", [.matches: "^(desc|DESC)$"])
            let down: DraftCondition = [.query: ["_sort": .string(DraftText.literal("-\(name)"))]]
            add("sorted\(index + 1)-down", (name, true), when: [.any([isDescending, down])])
            add("sorted\(index + 1)", (name, false), when: [isSorted])
        }
        add("items", nil, when: [])
        var route: DraftRoute = [.find: .object(finds), .cases: .array(cases), .json: "{{found.items#/items}}"]
        route.add(comments: comments)
        routes["GET \(path)"] = route.json
    }

    /// The items that a query asks for: every filter that it has must hold.
    private static func filter(_ names: [String], _ samples: [String: JSONValue]) -> DraftCondition? {
        var parts: [DraftCondition] = []
        for name in names {
            let place = "{{item#\(JSONPointer(tokens: [name]).description)}}"
            func add(_ item: String, _ matcher: DraftMatcher) {
                let isAbsent = DraftCondition(.query, item, [.exists: false])
                parts.append(.any([isAbsent, DraftCondition(.query, item, matcher)]))
            }
            add(name, [.equals: .string(place)])
            add("\(name)_ne", [.not: .string(place)])
            if samples[name]?.number != nil {
                add("\(name)_gte", [.atMost: .string(place)])
                add("\(name)_lte", [.atLeast: .string(place)])
            }
        }
        return parts.isEmpty ? nil : .all(parts)
    }
}
