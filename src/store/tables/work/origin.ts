/** Where a thread of the platform was begun, or an automation made, as far as our tables tell. */
export interface Origin {
  /** The channels in which it was begun, also by way of a hook, in whichever workspace; none where their links are gone, or it was begun elsewhere. */
  channels: readonly {team: string; channel: string}[]
  /**
   * `private`: in a direct message or a private channel. `unnoted`: it was begun before that was noted down; what it was
   * is known from its channel, and from nothing once that is gone.
   */
  mark: 'private' | 'unnoted' | undefined
  /** The room in which it goes on: what it was begun from says who is in it. */
  rooms: readonly {team: string; channel: string}[]
}
