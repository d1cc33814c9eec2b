import Basics

/// Finds a member by name in constant time once an object has grown beyond a handful of members.
///
/// A small object is searched from one end to the other, which is faster than hashing and costs no memory. A larger
/// one gets an open-addressing table of member numbers. The names are hashed with Swift's seeded hash, so a sender
/// cannot prepare names that collide; the table's order is never visible.
struct NameIndex: Sendable {
    /// The number of members up to which a search from one end to the other wins.
    static let searchedSize = 12

    /// A member's number plus one, zero for a free slot; a power of two of them, at most half of them taken.
    private var slots: [Int32] = []

    init() {}

    /// The index of the members from `base` to the end.
    init(of members: [JSONObject.Member], from base: Int = 0) {
        if members.count - base > NameIndex.searchedSize { rebuild(members, from: base) }
    }

    /// The number, counted from `base`, of the member with this name.
    @inline(__always)
    func number(of name: String, in members: [JSONObject.Member], from base: Int = 0) -> Int? {
        guard slots.isEmpty else { return numberInTable(of: name, in: members, from: base) }
        // By a pointer: a build for debugging would copy each member.
        return members.withUnsafeBufferPointer { members -> Int? in
            guard let first = members.baseAddress else { return nil }
            let length = name.utf8.count
            var number = base
            while number < members.count {
                if first[number].name.utf8.count == length, first[number].name.exact == name.exact {
                    return number - base
                }
                number += 1
            }
            return nil
        }
    }

    private func numberInTable(of name: String, in members: [JSONObject.Member], from base: Int) -> Int? {
        var slot = NameIndex.hash(of: name) & (slots.count - 1)
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if members[base + number].name.exact == name.exact { return number }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Takes note of the last member, whose name must be new.
    @inline(__always)
    mutating func noteLast(of members: [JSONObject.Member], from base: Int = 0) {
        if members.count - base > NameIndex.searchedSize { noteInTable(members, from: base) }
    }

    private mutating func noteInTable(_ members: [JSONObject.Member], from base: Int) {
        let count = members.count - base
        if count * 2 > slots.count {
            rebuild(members, from: base)
        } else {
            take(members[members.count - 1].name, number: count - 1)
        }
    }

    private mutating func rebuild(_ members: [JSONObject.Member], from base: Int) {
        var size = 64
        while size < (members.count - base) * 3 { size *= 2 }
        slots = [Int32](repeating: 0, count: size)
        for number in base..<members.count { take(members[number].name, number: number - base) }
    }

    private mutating func take(_ name: String, number: Int) {
        var slot = NameIndex.hash(of: name) & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Int32(truncatingIfNeeded: number + 1)
    }

    private static func hash(of name: String) -> Int {
        var hasher = Hasher()
        hasher.combine(name.exact)
        return hasher.finalize()
    }
}
