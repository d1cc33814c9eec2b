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
