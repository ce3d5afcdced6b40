import {type Person, type Place, WHAT, WHERE, type Work} from './sight-world.ts'

/**
 * "Private stays private", word by word, and nothing of the product's. `shown`: it has to be. `hidden`: it must not,
 * nor may an answer tell that there is such work. `open`: the documents leave it to choice.
 */
export type Verdict = 'shown' | 'hidden' | 'open'

/** Begun in a direct message or a private channel, whatever has become of our record of it. */
export function isPrivate(work: Work): boolean {
  const {begun} = WHAT[work]
  return begun !== 'elsewhere' && WHERE[begun].kind !== 'public'
}

/**
 * Whether this person alone may know of it: of what is private, the members of its place at this moment; of what is
 * somebody's own, that person.
 */
export function mayKnow(person: Person, work: Work): boolean {
  const {begun, personal} = WHAT[work]
  if (personal !== undefined) return personal === person
  if (begun === 'elsewhere') return true
  return !isPrivate(work) || WHERE[begun].members.includes(person)
}

/** Whether it is of this place, or of the project of this place: what all of a channel may see. */
function isOfPlace(place: Place, work: Work): Verdict {
  const {begun, project, personal} = WHAT[work]
  if (begun === place) return 'shown'
  if (personal !== undefined || isPrivate(work)) return 'hidden'
  if (project !== WHERE[place].project) return 'hidden'
  if (begun === 'elsewhere') return 'shown'
  // Of public channels of another company, and of those that are for few, nothing more is said.
  return isForFew(begun) || WHERE[begun].workspace !== WHERE[place].workspace ? 'open' : 'shown'
}

/** An admin has chosen who may use Bosun there. */
function isForFew(place: Place): boolean {
  return place === 'listed'
}

/** `/bosun find`: of this channel, one's own, and on the agent platform; only who asks sees what comes. */
export function inFind(person: Person, place: Place, work: Work): Verdict {
  if (!WHERE[place].users.includes(person) || !mayKnow(person, work)) return 'hidden'
  const {begun, by, since, personal} = WHAT[work]
  const ofPlace = isOfPlace(place, work)
  if (since !== undefined) return 'open'
  if (begun === place || by === person) return 'shown'
  // What one person alone sees may show work of every place of theirs.
  if (isPrivate(work) || personal !== undefined) return 'open'
  return ofPlace
}

/** `/bosun follow`: into this channel, which all see. Its own project's; another one's only by admins. */
export function inFollow(person: Person, place: Place, work: Work): Verdict {
  if (!WHERE[place].users.includes(person)) return 'hidden'
  const {begun, personal, project} = WHAT[work]
  // It stands here.
  if (begun === place) return mayKnow(person, work) ? 'open' : 'hidden'
  if (isPrivate(work)) return 'hidden'
  if (personal !== undefined) {
    return personal === person && WHERE[place].kind === 'direct' ? 'open' : 'hidden'
  }
  if (project !== WHERE[place].project) {
    if (person !== 'admin') return 'hidden'
    return begun !== 'elsewhere' && isForFew(begun) ? 'open' : 'shown'
  }
  return isOfPlace(place, work)
}

/** A watch of this place's project: what needs somebody is told to all of it. */
export function inWatch(place: Place, work: Work): Verdict {
  if (WHAT[work].begun === place) return 'open'
  // Nobody begins a state anew for it.
  return WHAT[work].since === undefined ? isOfPlace(place, work) : hiddenOr(work)
}

function hiddenOr(work: Work): Verdict {
  return isPrivate(work) ? 'hidden' : 'open'
}

/** `/bosun status` and `/bosun tasks`: what runs in this channel, and what somebody has brought there. */
export function inStatus(person: Person, place: Place, work: Work): Verdict {
  const {begun, since, personal} = WHAT[work]
  if (!WHERE[place].users.includes(person)) return 'hidden'
  if (begun === place) return since === undefined ? 'shown' : 'open'
  return isPrivate(work) || personal !== undefined ? 'hidden' : 'open'
}

/** `/bosun mine` and App Home: what one asked for, in any channel of which one is a member now. */
export function inMine(person: Person, work: Work): Verdict {
  const {by, begun, since} = WHAT[work]
  if (!mayKnow(person, work)) return 'hidden'
  if (by !== person || begun === 'elsewhere') return 'open'
  return since === undefined ? 'shown' : 'open'
}

/**
 * A link to it, posted by anybody in this place, shows what it leads to: to all who read there, and so as a watch would tell
 * it. `isShared`: people of another company read there, too, and then nothing is shown but what stands there.
 */
export function inUnfurl(place: Place, work: Work, isShared: boolean): Verdict {
  const {begun, personal, since} = WHAT[work]
  if (begun === place) return since === undefined ? 'shown' : 'open'
  if (personal !== undefined && isTheirs(place, personal)) return 'open'
  if (isPrivate(work) || personal !== undefined || isShared) return 'hidden'
  return isOfPlace(place, work)
}

/** The direct messages of whose it is. */
function isTheirs(place: Place, personal: string): boolean {
  const {kind, members} = WHERE[place]
  return kind === 'direct' && members.every((person) => person === personal)
}
