extension Smeem {
    /// A badge that a member has won.
    public struct Badge: Codable, Sendable, Hashable {
        /// The badge's name.
        public var name: String
        /// The achievement that it is won for.
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
        /// The badge's identifier.
        public var id: Int64
        /// The badge's name.
        public var name: String
        /// The achievement that it is won for.
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
        /// The achievement that they are won for.
        public var type: BadgeType
        /// The type's name in English.
        public var typeName: String
        /// The badges.
        public var badges: [Badge]

        /// The achievement that they are won for.
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

extension Smeem {
    /// A badge, and how near a member is to it.
    public struct BadgeProgress: Codable, Sendable, Hashable, Identifiable {
        /// The badge's identifier.
        public var id: Int64
        /// The badge's name.
        public var name: String
        /// The achievement that it is won for.
        public var type: BadgeType
        /// A Boolean value that indicates whether the member has it.
        public var isWon: Bool
        /// The number of diaries that are missing, zero or less once it is won; only for ``BadgeType/counting``.
        @Nullable public var remaining: Int?
        /// The message for a member who does not have it.
        @Nullable public var invitation: String?
        /// The message for a member who has it.
        @Nullable public var praise: String?
        /// Its image.
        public var image: WebLink
        /// The percentage of members who have it.
        public var acquisitionPercentage: Double

        enum CodingKeys: String, CodingKey {
            case id = "badgeId"
            case name
            case type
            case isWon = "hasBadge"
            case remaining = "remainingNumber"
            case invitation = "contentForNonBadgeOwner"
            case praise = "contentForBadgeOwner"
            case image = "imageUrl"
            case acquisitionPercentage = "badgeAcquisitionRatio"
        }
    }

    struct BadgeCollection: Codable, Sendable, Hashable {
        var badges: [BadgeProgress]
    }
}
