/// What days, months and halves of a day are called in a language (Unicode CLDR).
struct DateNames: Sendable {
    var months: [String]
    var shortMonths: [String]
    /// From Sunday.
    var weekdays: [String]
    var shortWeekdays: [String]
    var halves: [String]

    static let english = DateNames(
        months: [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ],
        shortMonths: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
        weekdays: ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
        shortWeekdays: ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"],
        halves: ["AM", "PM"]
    )

    static let korean = DateNames(
        months: (1...12).map { "\($0)월" },
        shortMonths: (1...12).map { "\($0)월" },
        weekdays: ["일요일", "월요일", "화요일", "수요일", "목요일", "금요일", "토요일"],
        shortWeekdays: ["일", "월", "화", "수", "목", "금", "토"],
        halves: ["오전", "오후"]
    )
}

extension DatePattern.Locale {
    var names: DateNames {
        switch self {
        case .english: .english
        case .korean: .korean
        }
    }
}
