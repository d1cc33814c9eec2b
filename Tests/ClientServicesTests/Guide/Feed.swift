import ClientServices

/// The posts on the screen, which grow as its user scrolls.
@MainActor
final class Feed {
    private(set) var posts: [WhipIt.Post] = []
    /// Why the last page did not come.
    private(set) var problem: WhipItError?
    private let list: PagedList<WhipIt.Post>

    init(_ service: WhipItService) {
        list = PagedList(service.posts(.feed))
    }

    /// Call it when the screen appears, and whenever the last row does: each page is fetched once.
    func loadMore() async {
        do {
            try await list.loadMore()
            problem = nil
        } catch {
            problem = error as? WhipItError
        }
        posts = await list.items
    }

    /// Whether the screen offers to try again; ``loadMore()`` asks for the same page then.
    var canTryAgain: Bool { problem?.isTemporary ?? false }
}
