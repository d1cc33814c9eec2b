import Foundation

extension KiwITService {
    /// All levels.
    public func levels() async throws(KiwITError) -> [KiwIT.Level] {
        try await ask(.json(.get, "content", "level"))
    }

    /// The lectures of a level by their ids, page by page.
    ///
    /// - Parameters:
    ///   - level: the level's number.
    ///   - pageSize: how many a page has.
    public func lectures(ofLevel level: Int, pageSize: Int = 15) -> Pages<KiwIT.Lecture> {
        pages(of: pageSize) { number, size throws(KiwITError) in
            try await lectures(ofLevel: level, page: number, size: size)
        }
    }

    /// One page of a level's lectures; empty behind the last one, and for a level that does not exist.
    ///
    /// - Parameters:
    ///   - level: the level's number.
    ///   - page: the page's number, from zero.
    ///   - size: how many it has.
    public func lectures(
        ofLevel level: Int,
        page: Int,
        size: Int = 15
    ) async throws(KiwITError) -> [KiwIT.Lecture] {
        try await self.page(page, of: size, ["content", "level", "\(level)"])
    }

    /// All categories.
    public func categories() async throws(KiwITError) -> [KiwIT.Category] {
        try await ask(.json(.get, "content", "category"))
    }

    /// The chapters of a category that have lectures.
    ///
    /// - Parameter category: the category's number.
    public func chapters(ofCategory category: Int) async throws(KiwITError) -> [KiwIT.Chapter] {
        try await ask(.json(.get, "content", "category", "\(category)"))
    }

    /// A lecture, and what the user has made of it.
    ///
    /// - Throws: ``KiwITError/invalidRequestBody`` when there is no such lecture.
    public func lecture(_ id: Int) async throws(KiwITError) -> KiwIT.LectureRecord {
        try await ask(.json(.get, "content", "\(id)"))
    }

    /// The lecture that the user was at last; `nil` when none was studied yet.
    public func latestLecture() async throws(KiwITError) -> KiwIT.Lecture? {
        // The server says 400 when there is none.
        try await ask(.jsonUnlessNone("content", "latest", none: [204, 400]))
    }

    /// The lectures that the user has studied, the latest first, page by page.
    ///
    /// - Parameter pageSize: how many a page has.
    public func studiedLectures(pageSize: Int = 30) -> Pages<KiwIT.LectureRecord> {
        pages(of: pageSize) { number, size throws(KiwITError) in try await studiedLectures(page: number, size: size) }
    }

    /// One page of the lectures that the user has studied, the latest first.
    ///
    /// - Parameters:
    ///   - page: the page's number, from zero.
    ///   - size: how many it has at most.
    public func studiedLectures(page: Int, size: Int = 30) async throws(KiwITError) -> [KiwIT.LectureRecord] {
        try await self.page(page, of: size, ["content", "studied"])
    }

    /// The lectures with a bookmark, page by page; who takes a bookmark away tells ``PagedList/remove(_:)``.
    ///
    /// - Parameter pageSize: how many a page has.
    public func bookmarkedLectures(pageSize: Int = 30) -> Pages<KiwIT.LectureRecord> {
        pages(of: pageSize) { number, size throws(KiwITError) in
            try await bookmarkedLectures(page: number, size: size)
        }
    }

    /// One page of the lectures with a bookmark, the latest first.
    ///
    /// - Parameters:
    ///   - page: the page's number, from zero.
    ///   - size: how many it has at most.
    public func bookmarkedLectures(page: Int, size: Int = 30) async throws(KiwITError) -> [KiwIT.LectureRecord] {
        try await self.page(page, of: size, ["content", "kept"])
    }
}
