/// The words that a property's name is made of, in lowercase: `createdAt`, `created_at` and `created-at` are the same.
struct NameParts {
    private let words: [String]

    init(_ name: String) {
        var words: [[UInt8]] = [[]]
        var isAfterLowercase = false
        // Names in other scripts, and very long ones, tell nothing.
        for byte in name.utf8.prefix(80) {
            let isUppercase = byte &- 0x41 < 26
            let isWordByte = isUppercase || byte &- 0x61 < 26 || byte &- 0x30 < 10
            if !isWordByte || (isUppercase && isAfterLowercase) { words.append([]) }
            if isWordByte { words[words.count - 1].append(isUppercase ? byte | 0x20 : byte) }
            isAfterLowercase = isWordByte && !isUppercase
        }
        self.words = words.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether a word is one of the name's, or two of them together.
    func contains(_ word: String) -> Bool {
        if words.contains(word) { return true }
        return zip(words, words.dropFirst()).contains { $0 + $1 == word }
    }

    /// The least number that one of the name's words has, or two of them together.
    func best(in ranks: [String: Int]) -> Int? {
        let single = words.compactMap { ranks[$0] }.min()
        guard words.count > 1 else { return single }
        let pairs = zip(words, words.dropFirst()).compactMap { ranks[$0 + $1] }.min()
        return [single, pairs].compactMap { $0 }.min()
    }

    func endsIn(_ word: String) -> Bool { words.last == word }

    /// What an identifier of the named thing begins with: `cus` for `customerId`.
    var prefixOfIdentifier: String {
        words.count > 1 ? String(words[words.count - 2].prefix(3)) : "id"
    }
}
