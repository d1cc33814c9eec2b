extension Smeem {
    /// A badge, and how near a member is to it.
    public struct BadgeProgress: Codable, Sendable, Hashable, Identifiable {
        /// What tells it from other badges.
        public var id: Int64
        /// The badge's name.
        public var name: String
        /// What it is won for.
        public var type: BadgeType
        /// Whether the member has it.
        public var isWon: Bool
        /// How many diaries are missing, zero or less once it is won; only for ``BadgeType/counting``.
        @Nullable public var remaining: Int?
        /// What to tell somebody who does not have it.
        @Nullable public var invitation: String?
        /// What to tell somebody who has it.
        @Nullable public var praise: String?
        /// Its image.
        public var image: WebLink
        /// How many of a hundred members have it.
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
