/// Every judgement that there is, in the order of their numbers.
package enum AllJudgements {
    package static let list: [any Judgement.Type] = []
}
