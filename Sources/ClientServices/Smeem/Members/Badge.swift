extension Smeem {
    /// A badge that a member has earned.
    public struct Badge: Codable, Sendable, Hashable {
        /// The badge's name.
        public var name: String
        /// The kind of achievement that the badge rewards.
        public var type: BadgeType
        /// The badge's image URL.
        public var imageUrl: WebLink
    }

    /// The most recent badge that a member has earned.
    public struct LatestBadge: Codable, Sendable, Hashable, Identifiable {
        /// The badge's identifier.
        public var id: Int64
        /// The badge's name.
        public var name: String
        /// The kind of achievement that the badge rewards.
        public var type: BadgeType
        /// The badge's image URL.
        public var imageUrl: WebLink
    }

    /// The badges of the same type that a member has earned.
    public struct BadgeGroup: Codable, Sendable, Hashable, Identifiable {
        /// The kind of achievement that the badges reward.
        public var badgeType: BadgeType
        /// The type's name in English.
        public var badgeTypeName: String
        /// The badges.
        public var badges: [Badge]

        /// The kind of achievement that the badges reward.
        public var id: BadgeType { badgeType }
    }

    struct NewBadges: Codable, Sendable, Hashable {
        var badges: [Badge]
    }

    struct BadgeGroups: Codable, Sendable, Hashable {
        var badgeTypes: [BadgeGroup]
    }
}

extension Smeem {
    /// A badge and a member's progress toward winning the badge.
    public struct BadgeProgress: Codable, Sendable, Hashable, Identifiable {
        /// The badge's identifier.
        public var id: Int64
        /// The badge's name.
        public var name: String
        /// The kind of achievement that the badge rewards.
        public var type: BadgeType
        /// A Boolean value that indicates whether the member has earned the badge.
        public var isWon: Bool
        /// The number of diaries still required for the badge, which is zero or less once the badge is earned.
        ///
        /// The value is `nil` unless the type is ``BadgeType/counting``.
        @Nullable public var remaining: Int?
        /// The message for a member who has not earned the badge.
        @Nullable public var invitation: String?
        /// The message for a member who has earned the badge.
        @Nullable public var praise: String?
        /// The badge's image URL.
        public var image: WebLink
        /// The percentage of members who have earned the badge.
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
