/** A `put` of this type makes a link whose text is the bytes: how a new link lands, and how undo brings an old one back. */
export const LINK_TYPE = 0o120000
