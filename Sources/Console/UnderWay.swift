import SocketIO
import Synchronization

/// A file in which a program notes what it is about to do, so that whoever started it knows what it died of.
///
/// A line for each beginning and each end: `+` or `-`, a number, and at a beginning what it is.
package final class UnderWay: Sendable {
    /// The environment variable that names the file.
    package static let variable = "BACKLOT_UNDER_WAY"

    private let file: Descriptor?
    private let count = Atomic(0)

    /// - Parameter path: the file; with `nil`, or where it cannot be written, nothing is noted.
    package init(_ path: String?) {
        file = path.flatMap { try? Platform.openFile($0, for: .writing) }
    }

    /// Notes that something begins, and returns its number.
    package func begin(_ what: String) -> Int {
        let number = count.add(1, ordering: .relaxed).newValue
        write("+\(number) \(what.printableLine)\n")
        return number
    }

    package func end(_ number: Int) {
        write("-\(number)\n")
    }

    private func write(_ line: String) {
        guard let file else { return }
        // A line in one call, so that two threads do not mix theirs.
        Platform.write(Array(line.utf8), to: file)
    }

    /// What has begun and not ended, by the text of the file.
    package static func leftOpen(in text: String) -> [String] {
        var open: [(number: Substring, what: Substring)] = []
        for line in text.split(separator: "\n") {
            let words = line.dropFirst().split(separator: " ", maxSplits: 1)
            guard let number = words.first else { continue }
            if line.first == "+", words.count == 2 {
                open.append((number, words[1]))
            } else {
                open.removeAll { $0.number == number }
            }
        }
        return open.map { String($0.what) }
    }
}

extension String {
    fileprivate var printableLine: String {
        split { $0.isNewline }.joined(separator: " ")
    }
}
