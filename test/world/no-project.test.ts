import {expect, test} from 'vitest'
import {JANE} from '../support/world.ts'
import {openWorld} from './open-world.ts'

test('where no project is set, a direct message asks which one, once, and a channel says how to name one', async (context) => {
  const world = await openWorld(context, {pace: 0.05, settings: {PLATFORM_PROJECT_ID: ''}})
  const told = (channel: string, words: string) =>
    world.until(`Jane is told: ${words}`, () =>
      world.slack.ephemerals(channel, JANE).find(({text}) => text.includes(words)),
    )
  const projects = () =>
    world.posts('/api/v1/threads').map(({body}) => (body as Record<string, unknown>)['projectId'])

  await world.say('@Bosun a quick check of the channel')
  await told('C0WEB', 'This channel is not connected to a project yet. Name one:')
  await world.say('a quick check of the first', {channel: 'D0JANE'})
  const question = await told('D0JANE', 'Which project should I use for you?')
  expect(JSON.stringify(question.blocks)).toMatch(/"text":"web".*"text":"api"/)
  const press = {as: JANE, channel: 'D0JANE', ts: question.ts}
  await world.slack.people.press({...press, actionId: 'bosun:start-with:1'})
  await world.until('it starts', () => projects().length === 1)
  await world.say('a quick check of the second', {channel: 'D0JANE'})
  await world.until('it starts as well', () => projects().length === 2)
  await world.say('project=web a quick check of the third', {channel: 'D0JANE'})
  await world.until('it starts elsewhere', () => projects().length === 3)
  await world.say('a quick check of the fourth', {channel: 'D0JANE'})
  await world.until('it starts where the others do', () => projects().length === 4)
  expect(projects()).toEqual(['project_api', 'project_api', 'project_web', 'project_api'])

  await world.say('@Bosun project=web a quick check of the channel')
  await world.until('it starts there', () => projects().length === 5)
  // What somebody has chosen counts wherever nothing else does.
  await world.say('@Bosun a quick check of the choice')
  await world.until('it starts in theirs', () => projects().length === 6)
  expect(projects().slice(4)).toEqual(['project_web', 'project_api'])
})
