import Basics

/// An object's members in the order of the text, each name once.
///
/// Names are compared scalar by scalar. A look-up takes constant time, also among thousands of members.
package struct JSONObject: Sendable {
    /// A name and its value.
    package struct Member: Sendable {
        package var name: String
        package var namePosition: JSONPosition
        package var value: JSONValue

        @inline(__always)
        package init(name: String, namePosition: JSONPosition = .unknown, value: JSONValue) {
            self.name = name
            self.namePosition = namePosition
            self.value = value
        }
    }

    /// All members; no two of them have the same name.
    package private(set) var members: [Member]
    private var index: NameIndex

    package init() {
        members = []
        index = NameIndex()
    }

    /// Takes members that the caller knows to have different names, with their index.
    @inline(__always)
    init(distinct members: [Member], index: NameIndex) {
        self.members = members
        self.index = index
    }

    /// Keeps the order; of members with equal names the last value wins, at the first one's place.
    package init(_ members: some Sequence<Member>) {
        self.init()
        for member in members { set(member) }
    }

    /// Keeps the order; of equal names the last value wins, at the first one's place.
    package init(_ members: some Sequence<(String, JSONValue)>) {
        self.init()
        for (name, value) in members { set(Member(name: name, value: value)) }
    }
}

extension JSONObject {
    package var count: Int { members.count }
    package var isEmpty: Bool { members.isEmpty }
    package var names: [String] { members.map(\.name) }

    /// The member with its name's position, where the value alone is not enough.
    package func member(named name: String) -> Member? {
        index.number(of: name, in: members).map { members[$0] }
    }

    /// Returns whether there is a member of this name, be its value null.
    package func contains(_ name: String) -> Bool {
        index.number(of: name, in: members) != nil
    }

    /// A member's value.
    ///
    /// Setting replaces the value at the member's place or adds a member at the end; setting `nil` removes the member,
    /// while JSON's null is stored as ``JSONValue/null``.
    ///
    /// - Complexity: O(1) but for removing, which takes O(*n*).
    package subscript(name: String) -> JSONValue? {
        get {
            guard let number = index.number(of: name, in: members) else { return nil }
            return members[number].value
        }
        set {
            if let newValue {
                if let number = index.number(of: name, in: members) {
                    members[number].value = newValue
                } else {
                    append(Member(name: name, value: newValue))
                }
            } else {
                removeMember(named: name)
            }
        }
    }

    /// Replaces the member of the same name at its place, or adds this one at the end.
    package mutating func set(_ member: Member) {
        if let number = index.number(of: member.name, in: members) {
            members[number] = member
        } else {
            append(member)
        }
    }

    /// Removes a member and returns it; the others keep their order.
    @discardableResult
    package mutating func removeMember(named name: String) -> Member? {
        guard let number = index.number(of: name, in: members) else { return nil }
        let removed = members.remove(at: number)
        index = NameIndex(of: members)
        return removed
    }

    private mutating func append(_ member: Member) {
        members.append(member)
        index.noteLast(of: members)
    }
}

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
            var number = base
            while number < members.count {
                if first[number].name.exact == name.exact { return number - base }
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
