import Testing

extension String {
    /// The name of a file that is attached to the running test: that of the test, a hyphen and the given name.
    ///
    /// The name of the test distinguishes files of many tests in one folder, as `swift test --attachments-path` writes them.
    package static func attachment(_ name: String) -> String {
        guard let test = Test.current else { return name }
        return attachment(name, of: test.displayName ?? String(test.name.prefix { $0 != "(" }))
    }

    /// - Parameter test: the name of the test; what a file's name may not have everywhere becomes a hyphen.
    package static func attachment(_ name: String, of test: String) -> String {
        let words = test.unicodeScalars.split { scalar in
            !scalar.properties.isAlphabetic && scalar.properties.numericType == nil && scalar != "_"
        }
        // A file's name has at most 255 bytes, and Swift Testing adds some more.
        var prefix = words.map(String.init).joined(separator: "-")
        while prefix.utf8.count > 100 { prefix.removeLast() }
        return prefix.isEmpty ? name : "\(prefix)-\(name)"
    }
}
