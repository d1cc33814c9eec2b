extension Decoder {
    /// Reads a value whose members stand in one object with a further member.
    func object<Base: Decodable, Member: Decodable>(with key: some CodingKey) throws -> (Base, Member) {
        (try Base(from: self), try member(key))
    }

    /// Reads such a value where the further member may be missing.
    func object<Base: Decodable, Member: Decodable>(
        with key: some CodingKey,
        default missing: Member
    ) throws -> (Base, Member) {
        (try Base(from: self), try optionalMember(key) ?? missing)
    }

    private func member<Key: CodingKey, Member: Decodable>(_ key: Key) throws -> Member {
        try container(keyedBy: Key.self).decode(Member.self, forKey: key)
    }

    private func optionalMember<Key: CodingKey, Member: Decodable>(_ key: Key) throws -> Member? {
        try container(keyedBy: Key.self).decodeIfPresent(Member.self, forKey: key)
    }
}

extension Encoder {
    /// Writes a value and a further member into one object.
    func object<Key: CodingKey>(_ base: some Encodable, with key: Key, _ member: some Encodable) throws {
        try base.encode(to: self)
        var container = container(keyedBy: Key.self)
        try container.encode(member, forKey: key)
    }
}
