import {setTimeout as delay} from 'node:timers/promises'
import {ACTIONS, SHORTCUTS, STOP_SIGN} from '../../src/slack/ids.ts'
import type {Place, World} from '../../test/support/world.ts'
import type {Person} from './person.ts'

/** What a person does in a while: together every kind of interaction. Each begins work of its own. */
export const STORIES: readonly ((person: Person) => Promise<void>)[] = [
  talks,
  takesBack,
  stops,
  archives,
  isAsked,
  triesAgain,
  looksAtTasks,
  isNotSure,
  asksForLists,
  fillsForms,
  watches,
  looksAtHome,
  choosesAnother,
]

async function talks(person: Person): Promise<void> {
  const {world, id} = person
  const place = await person.begin()
  const waiting = await person.reply('a reply while it works', place, 'use the staging database')
  await person.act('an edit of what waits', place, () =>
    world.slack.people.edit({as: id, ...waiting, text: 'a quick look at staging'}),
  )
  await person.press(place, ACTIONS.sendNow)
  await person.rests(place)
  const told = await person.reply('a reply at rest', place, 'a quick look at the roof')
  await person.rests(place)
  await person.act('an edit of what arrived', place, () =>
    world.slack.people.edit({as: id, ...told, text: 'a quick look at the cellar'}),
  )
  await person.rests(place)
  await person.reply('the word mute', place, 'mute')
  await person.reply('the word unmute', place, 'unmute')
  await person.press(place, ACTIONS.details)
  await person.closeAll()
  await person.press(place, ACTIONS.tasks)
  await person.closeAll()
  await person.press(place, ACTIONS.newTitle)
  await person.press(place, ACTIONS.mute)
  await person.press(place, ACTIONS.unmute)
  await person.press(place, ACTIONS.archive)
  await person.press(place, ACTIONS.unarchive)
  await person.press(place, ACTIONS.archive)
  await person.reply('a reply to archived work', place, 'one more quick look')
  await person.pressWhispered(ACTIONS.unarchiveAndSend)
  await person.rests(place)
}

async function takesBack(person: Person): Promise<void> {
  const {world, id} = person
  const place = await person.begin()
  await person.reply('a reply while it works', place, 'with an index')
  await person.press(place, ACTIONS.cancel)
  const deleted = await person.reply('a reply while it works', place, 'without one')
  await person.act('a deletion of what waits', place, () =>
    world.slack.people.remove({as: id, ...deleted}),
  )
  await person.reply('a reply while it works', place, '!steer a quick one')
  await person.reply('a reply while it works', place, 'and a test')
  await person.press(place, ACTIONS.stop)
  await world.until('it is held', () => isHeld(world, place, 'a quick one'), 60_000)
  await person.press(place, ACTIONS.sendHeld)
  await world.until('it is sent', () => !isHeld(world, place, 'a quick one'), 60_000)
  await person.press(place, ACTIONS.discard)
  await person.rests(place)
}

function isHeld(world: World, place: Place, words: string): boolean {
  return world.ours(place).some(({text}) => text.startsWith('⏸') && text.includes(words))
}

async function stops(person: Person): Promise<void> {
  const {world, id, channel} = person
  const {people} = world.slack
  const now = await person.begin()
  await person.reply('!now', now, '!now a quick look at the wolf')
  await person.rests(now)
  const word = await person.begin()
  await person.reply('the word stop', word, 'stop')
  const sign = await person.begin()
  const ts = world.ours(sign)[0]?.ts ?? ''
  await person.act('a stop sign', sign, () => people.react({as: id, channel, ts, name: STOP_SIGN}))
  const native = await person.begin()
  const session = () => world.slack.agentThread(channel, native.ts).session?.status
  await world.until('Slack shows its button', () => session() === 'processing')
  await person.act('Slack’s own stop', native, () =>
    people.stop({as: id, channel, threadTs: native.ts}),
  )
  const listed = await person.begin()
  await person.command('status')
  await person.pressWhispered(ACTIONS.listStop)
  await person.rests(listed)
}

async function archives(person: Person): Promise<void> {
  for (const how of [ACTIONS.stopAndArchive, ACTIONS.archiveOnly]) {
    const place = await person.begin()
    await person.press(place, ACTIONS.askArchive)
    await person.modal('It is still working')
    await person.submit('archive', {how: {how}}, place)
  }
}

async function isAsked(person: Person): Promise<void> {
  const {world, id, channel} = person
  const place = await person.finish('a question about the records')
  const call = await world.until('the call', () =>
    world.ours(place).find(({blocks}) => JSON.stringify(blocks).includes(ACTIONS.snooze)),
  )
  const [, value = ''] = /"value":"([^"]+\.4h)"/.exec(JSON.stringify(call.blocks)) ?? []
  await person.act(`press ${ACTIONS.snooze}`, place, () =>
    world.slack.people.press({as: id, channel, ts: call.ts, actionId: ACTIONS.snooze, value}),
  )
  await person.press(place, ACTIONS.answer)
  await person.modal('Which one')
  await person.submit('answer', {answer: {answer: 'quick: A'}}, place)
  await person.rests(place)
}

async function triesAgain(person: Person): Promise<void> {
  const {world} = person
  const place = await person.finish('fail at the build')
  await world.until('the call', () =>
    world.ours(place).some(({blocks}) => JSON.stringify(blocks).includes(ACTIONS.tryAgain)),
  )
  await person.press(place, ACTIONS.tryAgain)
  await person.rests(place)
}

async function looksAtTasks(person: Person): Promise<void> {
  const {world, id} = person
  const place = await person.finish('split the rounding into tasks')
  await person.press(place, ACTIONS.tasks)
  await person.modal(ACTIONS.taskMessages)
  const {blocks} = world.slack.views(id).modals.at(-1)?.view ?? {}
  const blockId = (blocks as {block_id?: string}[]).find((block) =>
    JSON.stringify(block).includes(ACTIONS.taskMessages),
  )?.block_id
  const at = blockId === undefined ? {} : {blockId}
  await person.use(ACTIONS.taskMessages, {value: '', ...at})
  await person.modal(ACTIONS.followTask)
  await person.use(ACTIONS.followTask)
  await person.closeAll()
}

async function isNotSure(person: Person): Promise<void> {
  const {world} = person
  const place = await person.finish('a quick look at the ice')
  const {id: threadId = ''} = world.threadIn(place) ?? {}
  const match = {path: `threads/${threadId}/message$`}
  world.platform.control.faults.add({match, fault: {kind: 'lost', applied: false}})
  await person.reply('a reply that gets lost', place, 'a quick look at the snow')
  await world.until(
    'it is not sure',
    () => JSON.stringify(world.ours(place)).includes(ACTIONS.checkAgain),
    30_000,
  )
  await person.press(place, ACTIONS.checkAgain)
  await delay(6000)
  await person.press(place, ACTIONS.sendAgain)
  await person.rests(place)
}

async function asksForLists(person: Person): Promise<void> {
  const {world} = person
  for (const text of ['', 'help', 'mine', 'watch api', 'unwatch api', 'unwatch']) {
    await person.command(text)
  }
  await person.command('wacth', 'with an unknown word')
  const place = await person.finish('a quick check of lists')
  await person.command(`follow ${world.threadIn(place)?.id ?? ''}`, 'follow')
  await person.mention('a direct message', 'project=web a quick check', person.dm)
}

async function fillsForms(person: Person): Promise<void> {
  const {world, id, channel} = person
  const {people} = world.slack
  await person.command('new a quick check', 'new')
  await person.modal('quick check')
  await person.submit('start, by /bosun new', {task: {task: 'a quick check of forms'}})
  const {ts} = await people.post({as: id, channel, text: 'the shop is slow'})
  const send = (at: string) =>
    people.messageShortcut({as: id, channel, ts: at, callbackId: SHORTCUTS.send})
  await person.act('Send to Bosun', {channel, ts}, () => send(ts))
  await person.modal('the shop is slow')
  await person.submit('start', {task: {task: 'a quick look at that'}}, {channel, ts})
  await person.rests({channel, ts}).catch(() => undefined)
  const place = await person.finish('a quick check')
  await person.act('Send to Bosun', place, () => send(place.ts))
  await person.modal('a quick check')
  await person.submit('send', {task: {task: 'a quick look at this, too'}}, place)
  await person.rests(place)
  await person.act('Manage this work', place, () =>
    people.messageShortcut({as: id, channel, ts: place.ts, callbackId: SHORTCUTS.manage}),
  )
  await person.modal(ACTIONS.takeOver)
  await person.use(ACTIONS.takeOver)
  await person.closeAll()
}

async function watches(person: Person): Promise<void> {
  const {world, channel} = person
  const {people} = world.slack
  await person.command('watch web')
  const told = async (subject: string): Promise<Place> => {
    await startElsewhere(world, `ask me about ${subject} of ${person.id}`)
    const find = () =>
      world.slack
        .messages(channel)
        .findLast(
          ({text, threadTs, blocks}) =>
            threadTs === undefined &&
            text.includes(subject) &&
            JSON.stringify(blocks ?? []).includes(ACTIONS.followHere),
        )
    const {ts} = await world.until('it is told', find, 40_000)
    return {channel, ts}
  }
  const press = async (place: Place, actionId: string): Promise<void> => {
    await person.act(`press ${actionId}`, place, () =>
      people.press({as: person.id, ...place, actionId}),
    )
  }
  await press(await told('lost records'), ACTIONS.followHere)
  await press(await told('old carts'), ACTIONS.notThisOne)
  const asked = await told('new taxes')
  await press(asked, ACTIONS.answerWatched)
  await person.modal('Before I start on')
  await person.submit('answer, watched', {text: {text: 'quick: B'}}, asked)
  await person.command('unwatch')
}

async function startElsewhere({platform}: World, message: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${platform.keys.human}`,
    'content-type': 'application/json',
  }
  const [projectId] = platform.projectIds
  const body = JSON.stringify({
    ...{requestId: `elsewhere-${message}-${Date.now()}`, projectId, message},
  })
  await fetch(`${platform.baseUrl}/threads`, {method: 'POST', headers, body})
}

async function looksAtHome(person: Person): Promise<void> {
  const {world, id} = person
  await person.act('App Home', undefined, () => world.slack.people.openHome({as: id}))
  await person.use(ACTIONS.homeNoise, {value: 'verbose'})
  await person.use(ACTIONS.homeNoise, {value: 'normal'})
  await person.use(ACTIONS.homeDm, {value: 'yes'})
  await person.use(ACTIONS.homeDm, {value: 'no'})
  for (const value of ['swift', 'standard']) {
    const actionId = ACTIONS.homeModel
    await world.slack.people.searchOptions({as: id, actionId, query: value})
    await person.use(actionId, {value})
  }
  await person.use(ACTIONS.homeSize, {value: 'large'})
  await person.use(ACTIONS.homeSize, {value: 'small'})
}

async function choosesAnother(person: Person): Promise<void> {
  const {botUserId} = person.world.slack
  const place = await person.mention(
    'a mention with a wrong option',
    `<@${botUserId}> project=appi a quick check`,
  )
  await person.pressWhispered(ACTIONS.startWith, place)
}
