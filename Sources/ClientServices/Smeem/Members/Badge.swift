extension Smeem {
    /// A badge that a member has won.
    public struct Badge: Codable, Sendable, Hashable {
        /// The badge's name.
        public var name: String
        /// What it is won for.
        public var type: BadgeType
        /// Its image.
        public var image: WebLink

        enum CodingKeys: String, CodingKey {
            case name
            case type
            case image = "imageUrl"
        }
    }

    /// The badge that a member has won last.
    public struct LatestBadge: Codable, Sendable, Hashable, Identifiable {
        /// What tells it from other badges.
        public var id: Int64
        /// The badge's name.
        public var name: String
        /// What it is won for.
        public var type: BadgeType
        /// Its image.
        public var image: WebLink

        enum CodingKeys: String, CodingKey {
            case id
            case name
            case type
            case image = "imageUrl"
        }
    }

    /// The badges of one type that a member has won.
    public struct BadgeGroup: Codable, Sendable, Hashable, Identifiable {
        /// What they are won for.
        public var type: BadgeType
        /// The type's name in English.
        public var typeName: String
        /// The badges.
        public var badges: [Badge]

        /// What they are won for.
        public var id: BadgeType { type }

        enum CodingKeys: String, CodingKey {
            case type = "badgeType"
            case typeName = "badgeTypeName"
            case badges
        }
    }

    struct NewBadges: Codable, Sendable, Hashable {
        var badges: [Badge]
    }

    struct BadgeGroups: Codable, Sendable, Hashable {
        var badgeTypes: [BadgeGroup]
    }
}
