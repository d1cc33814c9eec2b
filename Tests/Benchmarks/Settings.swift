/// The extent of the measurements.
struct Settings {
    /// The number of turns of each contestant.
    var rounds = 5
    /// The length of a turn, in seconds.
    var seconds = 5
    var connections = 64
    /// The time for which mutated inputs are read, in minutes.
    var minutes = 5
    /// The first seed of inputs; each run should have another one.
    var seed = UInt64.random(in: 1...1_000_000_000)
    /// The number of requests; `nil` for the number that each benchmark has.
    var requests: Int?
    /// A Boolean value that indicates whether this program makes the load even if wrk is installed.
    var prefersOwnLoad = false
    /// A Boolean value that indicates whether the kept instruction counts are replaced.
    var renews = false

    /// Removes the options from the words; `nil` when one is wrong.
    init?(taking words: inout [String]) {
        var rest: [String] = []
        var index = words.startIndex
        while index < words.endIndex {
            let word = words[index]
            index += 1
            if word == "--own" {
                prefersOwnLoad = true
                continue
            }
            if word == "--renew" {
                renews = true
                continue
            }
            guard word.hasPrefix("-") else {
                rest.append(word)
                continue
            }
            guard index < words.endIndex, let number = Int(words[index]), number > 0 else { return nil }
            index += 1
            switch word {
            case "--rounds": rounds = number
            case "--seconds": seconds = number
            case "--connections": connections = number
            case "--requests": requests = number
            case "--minutes": minutes = number
            case "--seed": seed = UInt64(number)
            default: return nil
            }
        }
        words = rest
    }
}
