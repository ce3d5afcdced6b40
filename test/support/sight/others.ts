import {mayKnow} from '../matrix-oracle/sight.ts'
import {WHAT} from '../matrix-oracle/sight-world.ts'
import {forgetWorkspace} from './changes.ts'
import {type Stage, readAll} from './stage.ts'
import type {SightTally} from './tally.ts'

/** Captains: the project's are everybody's; one that is somebody's own is theirs, and at home in no channel. */
export async function probeCaptains(stage: Stage, {judge}: SightTally): Promise<void> {
  const {many, personId, channelOf} = stage
  const {platform} = many
  const make = async (name: string): Promise<string> => {
    const answer = await fetch(`${platform.baseUrl}/captains`, {
      method: 'POST',
      headers: {authorization: `Bearer ${platform.keys.human}`, 'content-type': 'application/json'},
      body: JSON.stringify({
        requestId: name,
        projectId: 'project_web',
        name,
        brief: 'a quick word',
      }),
    })
    return ((await answer.json()) as {id: string}).id
  }
  await make('Civet')
  platform.control.setPersonal(await make('Fossa'), 'user_jane')
  platform.control.setPersonal(await make('Binturong'), null)
  for (const person of ['outsider', 'admin', 'owner'] as const) {
    const user = personId(person)
    const list = await stage.type(user, 'desk', '/captain list')
    const isTheirs = person === 'owner'
    judge(`${person}: the project’s captain`, 'shown', {isShown: list.includes('Civet')})
    judge(`${person}: a captain of the owner’s`, isTheirs ? 'open' : 'hidden', {
      isShown: list.includes('Fossa'),
    })
    judge(`${person}: a captain of nobody known`, 'hidden', {isShown: list.includes('Binturong')})
    for (const name of ['Fossa', 'Binturong']) {
      for (const act of ['ask', 'here'] as const) {
        const words = act === 'ask' ? `ask ${name} what is left?` : `here ${name}`
        await stage.type(user, 'desk', `/captain ${words}`)
        judge(`${person}: ${act} ${name} in a channel`, 'hidden', {
          isShown: stage
            .messages(channelOf('desk'))
            .some((message) => message.botId !== undefined && readAll(message).includes(name)),
        })
      }
    }
  }
  const answer = await stage.type(personId('outsider'), 'desk', '/captain here Civet')
  judge('the project’s captain is at home in a channel', 'shown', {
    isShown: answer.includes('/archives/'),
  })
}

/** While work is being begun in private, nobody knows yet which thread is its own. */
export async function probeBeginning(stage: Stage, {judge}: SightTally): Promise<void> {
  const {many, personId, channelOf} = stage
  const {faults} = many.platform.control
  // It is there, and its answer is a while on its way.
  const rule = faults.add({
    match: {method: 'POST', path: '/threads$'},
    times: 1,
    fault: {kind: 'delay', answerMs: 15_000},
  })
  const words = 'ask me about the sloth'
  await stage
    .peopleIn('owner’s messages')
    .post({...{as: personId('owner'), channel: channelOf('owner’s messages'), text: words}})
  const ofSloth = () =>
    many.platform.ledger.find(
      ({method, body}) => method === 'POST' && JSON.stringify(body ?? '').includes('sloth'),
    )
  await many.until('it is begun', ofSloth)
  // What begins elsewhere in the meantime is told of, if later.
  await stage.beginElsewhere('ask me about the serval', 'web')
  const told = (): string => stage.messages(channelOf('desk')).map(readAll).join('\n')
  await many.until('the channel hears of the other', () => told().includes('serval'), 60_000)
  faults.remove(rule)
  await stage.quiet()
  judge('told in desk: private work that is being begun', 'hidden', {
    isShown: told().includes('sloth'),
  })
  judge('told in desk: what began elsewhere meanwhile', 'shown', {
    isShown: told().includes('serval'),
  })
}

/** What people write in a private place stays there, also to work that is everybody's. */
export async function probeQuotes(stage: Stage, {judge}: SightTally): Promise<void> {
  const {many, personId, channelOf} = stage
  const threadId = await stage.beginElsewhere('a quick check of the tarsier', 'web')
  const owner = personId('owner')
  for (const place of ['web', 'team'] as const) {
    await stage.type(owner, place, `/bosun follow ${threadId}`)
  }
  const headIn = (place: 'web' | 'team') =>
    stage
      .messages(channelOf(place))
      .find((one) => one.threadTs === undefined && one.text.includes('tarsier'))
  const sides = [
    ['team', 'web', 'hidden', 'margay'],
    ['web', 'team', 'open', 'jerboa'],
  ] as const
  for (const [from, to, verdict, word] of sides) {
    const head = await many.until('it stands there', () => headIn(from))
    many.platform.control.planScript({
      ...{when: {text: word}},
      steps: [{kind: 'turn', steps: [{kind: 'say', fragments: [`Heard, the ${from}.`]}]}],
    })
    const channel = channelOf(from)
    const text = `look at the ${word}`
    await stage.peopleIn(from).post({as: owner, channel, text, threadTs: head.ts})
    await many.until('the agent has answered', () =>
      stage.messages(channel).some((one) => readAll(one).includes(`Heard, the ${from}.`)),
    )
    await stage.quiet()
    const shown = stage.messages(channelOf(to)).map(readAll).join('\n')
    judge(`what was written in ${from}, in ${to}`, verdict, {isShown: shown.includes(word)})
  }
}

/** A workspace is forgotten; what was private in it is nobody else's all the same. */
export async function probeForgotten(stage: Stage, {judge}: SightTally): Promise<void> {
  const {many, personId, threadOf, channelOf} = stage
  const works = ['far direct work', 'forgotten direct work', 'lapsed team work'] as const
  await forgetWorkspace(stage, 'T0BETA')
  for (const work of works) stage.setState(threadOf(work), 'error')
  const told = (): string => stage.messages(channelOf('desk')).map(readAll).join('\n')
  await stage.beginElsewhere('ask me about the tayra', 'web')
  await many.until('the watch goes on', () => told().includes('tayra'))
  await stage.quiet()
  for (const work of works) {
    const {word} = WHAT[work]
    judge(`told in desk once nobody knows it: ${work}`, 'hidden', {isShown: told().includes(word)})
    for (const person of ['outsider', 'admin'] as const) {
      if (mayKnow(person, work)) throw new Error(`${person} may know of ${work}.`)
      for (const act of ['find', 'follow'] as const) {
        const answer = await stage.type(personId(person), 'desk', `/bosun ${act} ${threadOf(work)}`)
        judge(`${person} in desk once nobody knows it: ${act} ${work}`, 'hidden', {
          isShown: answer.includes(word) || answer.includes('/archives/'),
        })
      }
    }
  }
}
