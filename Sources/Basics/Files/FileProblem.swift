/// An error of reading or writing a file.
package struct FileProblem: Error, Hashable {
    /// A part of a sentence, such as "there is no such file".
    package var reason: String
    /// The next step of the user, such as "free some space".
    package private(set) var advice: String?

    package init(reason: String, advice: String? = nil) {
        (self.reason, self.advice) = (reason, advice)
    }

    package static let missing = FileProblem(reason: "there is no such file")

    /// A sentence about a file, such as "there is no file "a.json"".
    ///
    /// - Parameter subject: what the file is to the reader, such as "the capture".
    package func sentence(about path: String, as subject: String = "the file") -> String {
        self == .missing ? "there is no file \"\(path)\"" : "\(subject) cannot be read: \(reason)"
    }
}
