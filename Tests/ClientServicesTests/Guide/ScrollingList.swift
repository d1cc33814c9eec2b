import ClientServices
import Observation

/// A list on the screen, of any service, which grows as its user scrolls.
@available(macOS 14, iOS 17, *)
@Observable @MainActor
final class ScrollingList<Item: Identifiable & Sendable> where Item.ID: Sendable {
    private(set) var items: [Item] = []
    /// Whether there is no more to load.
    private(set) var isComplete = false
    /// Why the last page did not come.
    private(set) var problem: (any ServiceError)?
    private let pages: Pages<Item>
    private var list: PagedList<Item>

    init(_ pages: Pages<Item>) {
        self.pages = pages
        list = PagedList(pages)
    }

    /// Whether the screen offers to try again; ``loadMore()`` asks for the same page then.
    var canTryAgain: Bool { problem?.isTemporary ?? false }

    /// Call it when the screen appears, and whenever the last row does: each page is fetched once.
    func loadMore() async {
        let list = list
        var problem: (any ServiceError)?
        do {
            try await list.loadMore()
        } catch {
            problem = error as? any ServiceError
        }
        // The user may have pulled the list down meanwhile.
        guard list === self.list else { return }
        self.problem = problem
        items = await list.items
        isComplete = await list.isComplete
    }

    /// Begins at the first page again, as when the user pulls the list down; the old rows stay until it is there.
    func reload() async {
        list = PagedList(pages)
        await loadMore()
    }
}
