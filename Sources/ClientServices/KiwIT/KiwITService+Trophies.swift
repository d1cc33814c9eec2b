extension KiwITService {
    /// All trophies that can be won, page by page.
    ///
    /// - Parameter pageSize: how many a page has.
    public func trophies(pageSize: Int = 30) -> Pages<KiwIT.Trophy> {
        pages(of: pageSize) { number, size throws(KiwITError) in try await trophies(page: number, size: size) }
    }

    /// One page of the trophies that can be won.
    ///
    /// - Parameters:
    ///   - page: the page's number, from zero.
    ///   - size: how many it has at most.
    public func trophies(page: Int, size: Int = 30) async throws(KiwITError) -> [KiwIT.Trophy] {
        try await self.page(page, of: size, ["trophy"])
    }

    /// A trophy.
    ///
    /// - Throws: ``KiwITError/invalidRequestBody`` when there is no such trophy.
    public func trophy(_ id: Int) async throws(KiwITError) -> KiwIT.Trophy {
        try await ask(.json(.get, "trophy", "\(id)"))
    }

    /// The trophies that the user has won, the latest first, page by page.
    ///
    /// - Parameter pageSize: how many a page has.
    public func wonTrophies(pageSize: Int = 30) -> Pages<KiwIT.WonTrophy> {
        pages(of: pageSize) { number, size throws(KiwITError) in try await wonTrophies(page: number, size: size) }
    }

    /// One page of the trophies that the user has won, the latest first.
    ///
    /// - Parameters:
    ///   - page: the page's number, from zero.
    ///   - size: how many it has at most.
    public func wonTrophies(page: Int, size: Int = 30) async throws(KiwITError) -> [KiwIT.WonTrophy] {
        try await self.page(page, of: size, ["trophy", "my"])
    }

    /// The trophy that the user has won last; `nil` when none was won yet.
    public func latestTrophy() async throws(KiwITError) -> KiwIT.WonTrophy? {
        try await ask(.jsonUnlessNone("trophy", "my", "latest", none: [204]))
    }
}
