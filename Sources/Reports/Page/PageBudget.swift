import Basics

/// The size limit of each exchange on a page, so that mail and build servers accept the page.
struct PageBudget: Sendable {
    /// The most exchanges that are listed.
    static let listedExchanges = 1_000
    /// Bytes for the heads and bodies of all exchanges together.
    private static let whole = 420_000
    private static let most = 24_000

    /// Bytes for one exchange.
    let exchange: Int
    /// Exchanges of one story.
    let listed: Int

    init(_ stories: [PlayedStory]) {
        let counts = stories.map(\.diagram.exchanges.count)
        let all = counts.reduce(0, +)
        let most = max(20, Self.listedExchanges / max(1, stories.count))
        let isTight = all > Self.listedExchanges
        listed = isTight ? most : Self.listedExchanges
        let shown = counts.reduce(0) { $0 + (isTight ? min($1, most) : $1) }
        exchange = min(Self.most, Self.whole / max(1, shown))
    }
}
