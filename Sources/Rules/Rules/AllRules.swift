/// Every rule that there is, in the order of their numbers.
package enum AllRules {
    package static let list: [any Rule.Type] = [
        NoRefreshAfter401.self,
        RefreshStorm.self,
        RefreshLoop.self,
        RotatedTokenReused.self,
        NewTokenNotStored.self,
        LostResponseSignedOut.self,
        RequestNotReplayed.self,
        RefreshOnOtherError.self,
        SignedOutByPassingFailure.self,
        CallsAfterInvalidRefresh.self,
        RefreshByDeviceClock.self,
        LifetimeCountedFromResponse.self,
        ExpiresInAgainstExp.self,
        TokenOfAnotherOwner.self,
        StaleTokenFromQueue.self,
        RefreshWithExpiredBearer.self,
        RetryAfterIgnored.self,
        TokenSentElsewhere.self,
        UploadRestarted.self,
        TokenOfWrongKind.self,
        AccountSwitchedWithoutUser.self,
        DifferentRequestReplayed.self,
        LogoutThoughFresh.self,
    ]
}
