import {
  type Verdict,
  inFind,
  inFollow,
  inMine,
  inStatus,
  inWatch,
  isPrivate,
  mayKnow,
} from '../matrix-oracle/sight.ts'
import {
  PERSONS,
  PLACES,
  type Person,
  type Place,
  WHAT,
  WHERE,
  WORKS,
  type Work,
} from '../matrix-oracle/sight-world.ts'
import {type Stage, readAll} from './stage.ts'
import {type SightTally, judgeAll} from './tally.ts'

/** Of no thread. */
const NO_THREAD = 'thread_000000000000000000000000'

/** What everybody's lists show, everywhere they are. A list has ten rows at a time, and no more are here yet. */
export async function probeLists(stage: Stage, {judge}: SightTally): Promise<void> {
  await everywhere(stage, async (person, place, ask) => {
    for (const act of ['status', 'tasks', 'mine'] as const) {
      const answer = await ask(`/bosun ${act}`)
      for (const work of WORKS) {
        judge(`${person} in ${place}: ${act} ${work}`, inList(act, person, place, work), {
          isShown: answer.includes(WHAT[work].word),
        })
      }
    }
  })
}

/**
 * Everybody looks for every work from everywhere they are, and only then brings it there, which all would find.
 * `isMeant` takes a sample.
 */
export async function probeCommands(
  stage: Stage,
  tally: SightTally,
  isMeant: () => boolean,
): Promise<void> {
  await probeCommand(stage, tally, {act: 'find', verdictOf: inFind, isMeant})
  await probeCommand(stage, tally, {act: 'follow', verdictOf: inFollow, isMeant})
}

interface Command {
  act: 'find' | 'follow'
  verdictOf: (person: Person, place: Place, work: Work) => Verdict
  isMeant: () => boolean
}

async function probeCommand(
  stage: Stage,
  {judge}: SightTally,
  {act, verdictOf, isMeant}: Command,
): Promise<void> {
  await everywhere(stage, async (person, place, ask) => {
    const works = WORKS.filter(isMeant)
    if (works.length === 0) return
    const notFound = await ask(`/bosun ${act} ${NO_THREAD}`)
    for (const work of works) {
      const threadId = stage.threadOf(work)
      const answer = await ask(`/bosun ${act} ${threadId}`)
      // Who follows is told where it stands.
      const isGiven = act === 'follow' && answer.includes('/archives/')
      const isSame = answer.replaceAll(threadId, NO_THREAD) === notFound
      judge(`${person} in ${place}: ${act} ${work}`, verdictOf(person, place, work), {
        isShown: isGiven || answer.includes(WHAT[work].word),
        tells: mayKnow(person, work) || isSame ? undefined : answer,
      })
    }
  })
}

type Ask = (command: string) => Promise<string>

/** One person does one thing after the other. */
async function everywhere(
  stage: Stage,
  act: (person: Person, place: Place, ask: Ask) => Promise<void>,
): Promise<void> {
  await Promise.all(
    PERSONS.map(async (person) => {
      for (const place of PLACES.filter((one) => WHERE[one].members.includes(person))) {
        await act(person, place, (command) => stage.type(stage.personId(person), place, command))
      }
    }),
  )
}

function inList(
  act: 'status' | 'tasks' | 'mine',
  person: Person,
  place: Place,
  work: Work,
): Verdict {
  if (act === 'mine') {
    if (!WHERE[place].users.includes(person)) return 'hidden'
    return inMine(person, work)
  }
  return inStatus(person, place, work)
}

/** What stands in everybody's App Home. */
export async function probeHomes(stage: Stage, tally: SightTally): Promise<void> {
  const {many, personId} = stage
  const near = PERSONS.filter((person) => PLACES.some((place) => hasMessages(person, place)))
  const shown = (user: string): number =>
    many.slack.ledger.calls.filter(
      ({method, args}) => method === 'views.publish' && args['user_id'] === user,
    ).length
  for (const user of near.map(personId)) {
    const before = shown(user)
    await many.slack.people.openHome({as: user})
    await many.until(`${user} sees App Home`, () => shown(user) > before)
  }
  const cells = near.flatMap((person) =>
    WORKS.map((work) => ({
      cell: `${person}: App Home ${work}`,
      verdict: inMine(person, work),
      isShown: () =>
        JSON.stringify(many.slack.views(personId(person)).home?.view ?? {}).includes(
          WHAT[work].word,
        ),
    })),
  )
  await judgeAll(stage, tally, cells)
}

function hasMessages(person: Person, place: Place): boolean {
  const {kind, workspace, members} = WHERE[place]
  return kind === 'direct' && workspace === 'one' && members.includes(person)
}

/** What the channels that watch a project have been told without being asked. */
export async function probeWatches(stage: Stage, tally: SightTally): Promise<void> {
  const told = (place: Place): string =>
    stage
      .messages(stage.channelOf(place))
      .filter(({botId, threadTs}) => botId !== undefined && threadTs === undefined)
      .map(readAll)
      .join('\n')
  const cells = PLACES.filter((one) => WHERE[one].kind !== 'direct').flatMap((place) =>
    WORKS.map((work) => ({
      cell: `told in ${place}: ${work}`,
      verdict: inWatch(place, work),
      isShown: () => told(place).includes(WHAT[work].word),
    })),
  )
  await judgeAll(stage, tally, cells)
}

/** Whatever was ever said anywhere: no word of what is private stands where somebody else reads it. */
export function sweep(stage: Stage, {judge}: SightTally): void {
  const {many, channelOf, personId} = stage
  const secrets = WORKS.filter((work) => isPrivate(work) || WHAT[work].personal !== undefined)
  for (const place of PLACES) {
    const channel = channelOf(place)
    const said = stage
      .messages(channel)
      .filter(({botId}) => botId !== undefined)
      .flatMap(({ts}) => many.slack.ledger.versions(channel, ts).map((one) => JSON.stringify(one)))
      .join('\n')
    for (const work of secrets) {
      const verdict = placeVerdict(place, work)
      judge(`ever said in ${place}: ${work}`, verdict, {isShown: said.includes(WHAT[work].word)})
    }
  }
  for (const person of PERSONS) {
    const whispered = many.slack
      .whispers()
      .filter(({ephemeralTo}) => ephemeralTo === personId(person))
      .map(readAll)
      .join('\n')
    for (const work of secrets.filter((one) => !mayKnow(person, one))) {
      // Former members knew it while they were there.
      if (person === 'former') continue
      judge(`ever told to ${person} alone: ${work}`, 'hidden', {
        isShown: whispered.includes(WHAT[work].word),
      })
    }
  }
}

function placeVerdict(place: Place, work: Work): Verdict {
  const {begun, personal} = WHAT[work]
  const isAuthors = personal === 'owner' && place === 'owner’s messages'
  return begun === place || isAuthors || isDirectTo(place, work) ? 'open' : 'hidden'
}

/** Somebody's own messages show what they alone may know. */
function isDirectTo(place: Place, work: Work): boolean {
  const {kind, members} = WHERE[place]
  return kind === 'direct' && members.every((person) => mayKnow(person, work))
}
