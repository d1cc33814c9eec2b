extension YAMLScanner {
    private static let prefixes = ["!": "!", "!!": "tag:yaml.org,2002:"]

    /// Takes the name behind `&` or `*`: all up to white space or, as brackets need it, a flow indicator.
    mutating func readAnchorName() throws(JSONSyntaxError) -> String {
        let start = offset
        offset += 1
        while offset < bytes.count, !isBlank(at: offset), !bytes[offset].isFlowIndicator { offset += 1 }
        guard offset > start + 1 else { throw error(.yaml(.missingAnchorName), at: start) }
        return text(start + 1..<offset)
    }

    mutating func readTag() throws(JSONSyntaxError) -> YAMLTag {
        let start = offset
        offset += 1
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "<") {
            while offset < bytes.count, !isBlank(at: offset), bytes[offset] != UInt8(ascii: ">") { offset += 1 }
            guard offset < bytes.count, bytes[offset] == UInt8(ascii: ">") else {
                throw error(.yaml(.brokenTag), at: start)
            }
            offset += 1
            return try tag(named: text(start + 2..<offset - 1), writtenAt: start)
        }
        // Up to a second exclamation mark it is the handle of a prefix.
        var handleEnd = start + 1
        while offset < bytes.count, !isBlank(at: offset), !bytes[offset].isFlowIndicator {
            if bytes[offset] == UInt8(ascii: "!") {
                guard handleEnd == start + 1 else { throw error(.yaml(.brokenTag), at: start) }
                handleEnd = offset + 1
            }
            offset += 1
        }
        if offset == start + 1 { return .nonSpecific }
        let handle = text(start..<handleEnd)
        guard handleEnd < offset else { throw error(.yaml(.brokenTag), at: start) }
        guard let prefix = handles[handle] ?? Self.prefixes[handle] else {
            throw error(.yaml(.unknownHandle(handle)), at: start)
        }
        return try tag(named: prefix + text(handleEnd..<offset), writtenAt: start)
    }

    private func tag(named name: String, writtenAt start: Int) throws(JSONSyntaxError) -> YAMLTag {
        guard name != "!", let tag = YAMLTag(rawValue: name) else {
            throw error(.yaml(.foreignTag(text(start..<offset))), at: start)
        }
        return tag
    }

    /// The error for a node whose tag is that of something else.
    func tagMismatch(at start: Int) -> JSONSyntaxError {
        var end = start
        while end < bytes.count, !isBlank(at: end), !bytes[end].isFlowIndicator { end += 1 }
        return error(.yaml(.tagMismatch(text(start..<end))), at: start)
    }

    /// Reads a line such as `%YAML 1.2` (YAML 1.2.2, section 6.8); directives of unknown names mean nothing.
    mutating func readDirective(_ hasVersion: inout Bool) throws(JSONSyntaxError) {
        let start = offset
        var words: [String] = []
        while offset < bytes.count, !isBreak(at: offset) {
            if bytes[offset] == UInt8(ascii: "#"), isBlank(at: offset - 1) {
                try skipSeparation()
                break
            }
            let word = offset
            while offset < bytes.count, !isBlank(at: offset) { offset += 1 }
            words.append(text(word..<offset))
            skipBlanks()
        }
        if words[0] == "%YAML" {
            let parts = words.count == 2 ? words[1].split(separator: ".", omittingEmptySubsequences: false) : []
            guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }) else {
                throw error(.yaml(.brokenDirective), at: start)
            }
            guard parts[0] == "1" else { throw error(.yaml(.unknownVersion(words[1])), at: start) }
            guard !hasVersion else { throw error(.yaml(.repeatedDirective), at: start) }
            hasVersion = true
        } else if words[0] == "%TAG" {
            guard words.count == 3, words[1].first == "!", words[1].last == "!" else {
                throw error(.yaml(.brokenDirective), at: start)
            }
            guard handles.updateValue(words[2], forKey: words[1]) == nil else {
                throw error(.yaml(.repeatedDirective), at: start)
            }
        }
    }
}
