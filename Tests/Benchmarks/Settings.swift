/// How much is measured.
struct Settings {
    /// How often each contestant has its turn.
    var rounds = 5
    /// How long a turn takes.
    var seconds = 5
    var connections = 64
    /// How long inputs are tried.
    var minutes = 5
    /// The first seed of inputs; each run should have another one.
    var seed = UInt64.random(in: 1...1_000_000_000)
    /// How many requests are made where a number is asked for; each benchmark has its own number when `nil`.
    var requests: Int?
    /// Whether the own load generator is used although wrk is installed.
    var prefersOwnLoad = false
    /// Whether kept instruction counts are written anew.
    var renews = false

    /// Takes the options out of the words; nil when one is wrong.
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
