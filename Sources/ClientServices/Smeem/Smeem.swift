/// What Smeem knows: its members, their diaries, and what belongs to them.
public enum Smeem {}
