import type {Face, Place} from '../store/tables/work/link.ts'
import type {FileContent, PostContent, SayContent} from './post.ts'

/** Slack as the relay needs it: somewhere to write posts. What Slack does not take is thrown as a {@link SlackError}. */
export interface PostWriter {
  /** What the pacer knows each call as. */
  readonly methods: Readonly<Record<Move, string>>
  /** `face`: under which name and picture; under ours without. */
  create(post: {
    place: Place
    linkId: string
    key: string
    content: PostContent
    face?: Face | undefined
  }): Promise<string>
  edit(post: {place: Place; ts: string; content: PostContent}): Promise<void>
  /**
   * Begins a message as a stream: it grows by what is appended, and can't be edited until it is closed. It
   * does not bear its key. `reader`: who is answered.
   */
  open(post: {
    place: Place
    key: string
    reader: string
    content: SayContent
    face?: Face | undefined
  }): Promise<Said & {ts: string}>
  /** Makes it say this content; the last word may have to wait. `refused` where that is not what it says and more. */
  append(post: {place: Place; ts: string; stretch: Stretch}): Promise<Said>
  /** Ends it; from then on it bears its key. What it says, if a last stretch was given that it could be made to say. */
  close(post: {
    place: Place
    linkId: string
    key: string
    ts: string
    stretch: Stretch | undefined
  }): Promise<Said | undefined>
  remove(post: {place: Place; ts: string}): Promise<void>
  /** Brings a file, or a canvas, to Slack, where nobody sees it yet; its id. What comes of it can be lost without harm. */
  upload(place: Place, content: FileContent): Promise<string>
  /** Shows an uploaded file. The message that carries it appears by itself, a little later. */
  share(post: {
    place: Place
    linkId: string
    key: string
    file: string
    content: FileContent
  }): Promise<void>
  /**
   * Looks for the message of an open intent, a page at a time: the one that carries its file or bears its key, or else,
   * where it may be bare, a message of ours that bears none and is not known. Its `ts`, or `undefined`; where there are more pages, how far it came.
   */
  find(post: {
    place: Place
    linkId: string
    key: string
    file: string | undefined
    /** By our clock: it was not made earlier. */
    sinceMs: number | undefined
    isKnown: (ts: string) => boolean
    /** A stream bears no key. */
    mayBeBare: boolean
    search: Search | undefined
  }): Promise<string | Search | undefined>
}

/** How far a Slack thread was looked through, and what was met there. */
export interface Search {
  cursor: string
  found: string | undefined
  orphan: string | undefined
}

/** What a stream has said, as it was drawn, and whether that is all that it was to say. */
export interface Said {
  sent: string
  isAll: boolean
}

/** What it has said, and what it is to say: all of it, or as far as the last word that is complete. */
export interface Stretch {
  sent: string
  content: SayContent
  until: 'word' | 'end'
}

/** What a publisher can do to one post. */
type Move = 'create' | 'edit' | 'remove' | 'share' | 'find' | 'open' | 'append' | 'close'

/** The part of a logger that the relay writes to. */
export interface Log {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
