extension KeyedDecodingContainer {
    /// A token, which has at least one character: an empty one would sign nobody in, and would replace a good one.
    func decodeToken(_ key: Key) throws -> String {
        let token = try decode(String.self, forKey: key)
        guard !token.isEmpty else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "the token is empty")
        }
        return token
    }
}
