/// What WhipIt's users see and write: posts of what they wear, comments, and each other.
///
/// ``WhipItService`` is where to begin.
public enum WhipIt {}
