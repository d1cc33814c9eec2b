import Foundation

extension Endpoint {
    /// An endpoint that answers with one status that there is nothing yet.
    static func jsonUnlessNone<Wrapped: Decodable>(
        _ path: String...,
        none: Set<Int>
    ) -> Endpoint where Value == Wrapped? {
        Endpoint(method: .get, path: path) { response throws(ServiceProblem) in
            if none.contains(response.status) { return nil }
            guard response.isSuccess else { throw .status(response) }
            return try response.decoded(as: Wrapped.self)
        }
    }
}

extension KiwITService {
    /// A list whose pages have numbers, and whose last page is short.
    func pages<Item: Identifiable & Sendable>(
        of size: Int,
        _ page: @escaping @Sendable (_ number: Int, _ size: Int) async throws(KiwITError) -> [Item]
    ) -> Pages<Item> where Item.ID: Sendable {
        let size = max(1, size)
        return Pages(
            from: "0",
            // What is taken away moves the rest up; and one page more, for what was fetched while it was taken away.
            rewound: { cursor, removed in
                String(max(0, (Int(cursor) ?? 0) - (removed + size - 1) / size - 1))
            },
            fetch: { cursor in
                let number = cursor.flatMap(Int.init) ?? 0
                let items = try await page(number, size)
                return Page(items, next: items.count < size ? nil : String(number + 1))
            }
        )
    }

    /// Asks for a page by its number, from zero.
    func page<Item: Decodable & Sendable>(
        _ number: Int,
        of size: Int,
        _ path: [String],
        _ more: [URLQueryItem] = []
    ) async throws(KiwITError) -> [Item] {
        var endpoint = Endpoint<[Item]>.json(.get)
        endpoint.path = path
        endpoint.query = more + KiwIT.pageQuery(number, of: size)
        return try await ask(endpoint)
    }
}

extension KiwIT {
    static func pageQuery(_ number: Int, of size: Int) -> [URLQueryItem] {
        [URLQueryItem(name: "limit", value: "\(max(1, size))"), URLQueryItem(name: "next", value: "\(max(0, number))")]
    }
}
