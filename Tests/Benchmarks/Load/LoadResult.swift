/// What a load on a server came to.
struct LoadResult {
    var perSecond: Double
    /// Milliseconds.
    var median: Double
    var p99: Double
    /// Responses other than 2xx, and connections that broke.
    var failures: Int
}
