/// What RunwithU's users see and write: posts, runners, groups, invitations, races and payments.
///
/// ``RunwithUService`` fetches and sends all of it.
public enum RunwithU {}
