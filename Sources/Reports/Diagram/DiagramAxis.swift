/// Where virtual time is on a drawing's height: as far apart as can be read, not as far apart as it is.
struct DiagramAxis: Sendable {
    private var times: [Double] = []
    private var heights: [Int] = []

    /// Notes that a moment is at a height; heights rise, and time that was set back counts as standing still.
    mutating func place(_ time: Double, at y: Int) {
        times.append(max(time, times.last ?? time))
        heights.append(y)
    }

    /// The height of a moment: in the first row where it has come, or in between where time was folded.
    func height(of time: Double) -> Int {
        guard let last = times.indices.last else { return 0 }
        var (low, high) = (0, last + 1)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < time { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return heights[0] }
        guard low <= last else { return heights[last] }
        let span = times[low] - times[low - 1]
        let part = span > 0 ? (time - times[low - 1]) / span : 1
        return heights[low - 1] + Int(Double(heights[low] - heights[low - 1]) * part)
    }

    /// The last moment that has a height.
    var end: Double { times.last ?? 0 }
}
