import Foundation

extension Error {
    /// What an error is called in a table, unless its client has a better name for it.
    var shortName: String {
        if let error = self as? URLError { return "URLError(\(error.code.rawValue))" }
        if self is DecodingError { return "DecodingError" }
        let line = "\(self)".prefix { !$0.isNewline }
        return line.count > 60 ? "\(type(of: self))" : String(line)
    }
}
