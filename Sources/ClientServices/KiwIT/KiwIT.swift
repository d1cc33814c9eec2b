/// What kiwIT's backend knows: lectures, quizzes, trophies, interviews, and who learns with them.
///
/// ``KiwITService`` is where to begin.
public enum KiwIT {}
