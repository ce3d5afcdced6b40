import type {WebClient} from '@slack/web-api'
import {expect, test} from 'vitest'
import type {LocalSlack} from '../../../local/slack/server.ts'
import {eventually} from './eventually.ts'
import {connectApp, openSlack, refusalOf} from './slack-fixture.ts'

const unlimited = {rateScale: Infinity}

async function uploadBytes(client: WebClient, name: string, content: string): Promise<string> {
  const asked = {filename: name, length: content.length}
  const {upload_url: url = '', file_id: id = ''} = await client.files.getUploadURLExternal(asked)
  const answer = await fetch(url, {method: 'PUT', body: content})
  expect([answer.status, await answer.text()]).toEqual([200, `OK - ${content.length}`])
  return id
}

test('the official client uploads a file into a thread, and it can be read back', async () => {
  const {slack, client} = await openSlack()
  const {heard} = await connectApp(slack)
  const parent = await slack.people.post({as: 'U0JANE', channel: 'C0WEB', text: 'The log?'})
  await client.filesUploadV2({
    channel_id: 'C0WEB',
    thread_ts: parent.ts,
    initial_comment: 'Here it is',
    filename: 'build.txt',
    title: 'The build',
    file: Buffer.from('all green'),
  })
  const {messages} = await client.conversations.replies({channel: 'C0WEB', ts: parent.ts})
  const file = messages?.[1]?.files?.[0]
  expect(messages?.[1]).toMatchObject({text: 'Here it is', subtype: 'file_share'})
  expect(file).toMatchObject({name: 'build.txt', title: 'The build', size: 9, user: 'U0BOSUN'})
  const authorization = `Bearer ${slack.botToken}`
  const download = await fetch(file?.url_private ?? '', {headers: {authorization}})
  expect([download.headers.get('content-type'), await download.text()]).toEqual([
    'text/plain',
    'all green',
  ])
  const info = await client.files.info({file: file?.id ?? ''})
  expect(info.file?.shares?.public?.['C0WEB']?.[0]).toMatchObject({thread_ts: parent.ts})
  await eventually(
    () => heard.map(({event}) => event),
    (events) => events.some(({type}) => type === 'file_shared'),
  )
  const shared = heard.find(({event}) => event.type === 'file_shared')?.event
  expect(shared).toMatchObject({file_id: file?.id, channel_id: 'C0WEB', user_id: 'U0BOSUN'})
})

test('without a right the address of a file leads to the login page', async () => {
  const {slack, client} = await openSlack(unlimited)
  const id = await uploadBytes(client, 'a.txt', 'secret')
  const {files} = await client.files.completeUploadExternal({files: [{id}]})
  const {file} = await client.files.info({file: files?.[0]?.id ?? ''})
  const read = (token: string) =>
    fetch(file?.url_private_download ?? '', {
      redirect: 'manual',
      headers: {authorization: `Bearer ${token}`},
    })
  expect((await read('xoxb-other')).status).toBe(302)
  expect((await read(slack.botToken)).status).toBe(200)
  await client.files.delete({file: id})
  expect((await read(slack.botToken)).status).toBe(404)
  slack.faults.revokeToken()
  expect((await read(slack.botToken)).status).toBe(302)
})

test('an upload address takes exactly the promised bytes, once, and not for ever', async () => {
  const {client} = await openSlack(unlimited)
  const asked = {filename: 'a.txt', length: 3}
  const {upload_url: url = '', file_id: id = ''} = await client.files.getUploadURLExternal(asked)
  const send = async (body: string, to = url) => {
    const answer = await fetch(to, {method: 'POST', body})
    return [answer.status, await answer.text()]
  }
  const complete = () => client.files.completeUploadExternal({files: [{id}]})
  expect(await refusalOf(complete())).toBe('file_not_found')
  expect(await send('four')).toEqual([400, 'size_mismatch'])
  expect(await send('abc')).toEqual([200, 'OK - 3'])
  expect(await send('abc')).toEqual([404, 'used'])
  expect(await send('abc', `${url}x`)).toEqual([404, 'unknown'])
  await complete()
  expect(await refusalOf(complete())).toBe('file_not_found')
  const hurried = await openSlack({...unlimited, timeFactor: 0})
  const late = await hurried.client.files.getUploadURLExternal(asked)
  expect(await send('abc', late.upload_url)).toEqual([404, 'expired'])
})

test('an upload is refused for what it promises', async () => {
  const {slack, client} = await openSlack(unlimited)
  const ask = (asked: Record<string, unknown>) =>
    refusalOf(client.apiCall('files.getUploadURLExternal', {filename: 'a.txt', ...asked}))
  expect(await ask({length: 0})).toBe('missing_argument')
  expect(await ask({length: 2e9})).toBe('file_upload_size_restricted')
  expect(await ask({length: 1, alt_txt: 'x'.repeat(1001)})).toBe('alt_txt_too_large')
  expect(await ask({length: 1, subtype: 'x'})).toBe('unknown_subtype')
  expect(await ask({length: 1, snippet_type: 'klingon'})).toBe('unknown_snippet_type')
  expect(await ask({length: 1_000_001, snippet_type: 'python'})).toBe('snippet_too_large')
  expect(await ask({length: 1, filename: ''})).toBe('invalid_arguments')
  await slack.people.setRules({uploads: 'images'})
  expect(await ask({length: 1})).toBe('file_uploads_except_images_disabled')
  await client.files.getUploadURLExternal({filename: 'a.png', length: 1})
  await slack.people.setRules({uploads: 'none'})
  expect(await ask({length: 1, filename: 'a.png'})).toBe('file_uploads_disabled')
})

test('a refused completion leaves the upload open for the next try', async () => {
  const {slack, client} = await openSlack(unlimited)
  await slack.people.archive('C0GENERAL')
  const id = await uploadBytes(client, 'a.txt', 'abc')
  const complete = (where: Record<string, unknown>) =>
    client.apiCall('files.completeUploadExternal', {files: [{id}], ...where})
  const refused = (where: Record<string, unknown>) => refusalOf(complete(where))
  expect(await refused({channel_id: 'C0X'})).toBe('channel_not_found')
  expect(await refused({channels: 'C0WEB,C0X'})).toBe('invalid_channel')
  expect(await refused({channel_id: 'C0RANDOM'})).toBe('not_in_channel')
  expect(await refused({channel_id: 'C0GENERAL'})).toBe('posting_to_channel_denied')
  expect(await refused({channels: Array(101).fill('C0WEB').join()})).toBe('channels_limit_exceeded')
  expect(await refused({channel_id: 'C0WEB', thread_ts: '1'})).toBe('invalid_thread_ts')
  const ghost = {channel_id: 'C0WEB', thread_ts: '1700000001.123456'}
  expect(await refused(ghost)).toBe('thread_not_found')
  expect(await refused({channel_id: 'C0WEB', blocks: [{type: 'x'}]})).toBe('invalid_blocks')
  expect(await refused({files: '{}'})).toBe('invalid_arguments')
  expect(await refused({files: [{}]})).toBe('invalid_arguments')
  expect(slack.messages('C0WEB')).toEqual([])
  await complete({channels: 'C0WEB,U0JANE', blocks: [{type: 'divider'}]})
  const {file} = await client.files.info({file: id})
  expect(file).toMatchObject({channels: ['C0WEB'], ims: ['D0JANE'], is_public: true})
})

test('the other words of Slack about files can be provoked', async () => {
  const {slack, client} = await openSlack(unlimited)
  const words = {
    'files.getUploadURLExternal': ['file_type_not_allowed', 'storage_limit_reached'],
    'files.completeUploadExternal': ['file_update_failed', 'file_type_not_allowed'],
    'files.delete': ['delete_not_allowed', 'file_deleting_disabled'],
    'files.info': ['canvas_globally_disabled', 'template_not_visible'],
  }
  for (const [method, errors] of Object.entries(words)) {
    for (const error of errors) {
      slack.faults.failNext(method, {times: 1, error, applied: false})
      expect(await refusalOf(client.apiCall(method))).toBe(error)
    }
  }
})

test('people attach files; the app reads those it may see, and deletes only its own', async () => {
  const {slack, client} = await openSlack(unlimited)
  const {heard} = await connectApp(slack)
  const {people} = slack
  const hidden = await people.createChannel({
    name: 'secret',
    memberIds: ['U0JANE'],
    isPrivate: true,
  })
  const attach = async (channel: string) => {
    const files = [{name: 'shot.png', content: new Uint8Array([1, 2])}]
    const message = await people.post({as: 'U0JANE', channel, text: '', files})
    return message.fileIds?.[0] ?? ''
  }
  const seen = await attach('C0WEB')
  const unseen = await attach(hidden.id)
  await eventually(
    () => heard.length,
    (count) => count === 2,
  )
  expect(heard.map(({event}) => event.type).sort()).toEqual(['file_shared', 'message'])
  const message = heard.find(({event}) => event.type === 'message')
  expect(message?.event).toMatchObject({subtype: 'file_share', files: [{id: seen}]})
  const {files} = client
  expect(await refusalOf(files.info({file: unseen}))).toBe('not_visible')
  expect(await refusalOf(files.info({file: 'F0X'}))).toBe('file_not_found')
  expect(await refusalOf(files.delete({file: unseen}))).toBe('file_not_found')
  expect(await refusalOf(files.delete({file: seen}))).toBe('cant_delete_file')
  const own = await uploadBytes(client, 'a.py', 'abc')
  await files.completeUploadExternal({files: [{id: own}], channel_id: 'C0WEB'})
  const listed = await files.list({count: 1})
  expect(listed.files?.map(({id}) => id)).toEqual([own])
  expect(listed.paging).toMatchObject({total: 2, pages: 2})
  const pictures = await files.list({types: 'images', channel: 'C0WEB', user: 'U0JANE'})
  expect(pictures.files?.map(({id}) => id)).toEqual([seen])
  expect(await refusalOf(files.list({types: 'x'}))).toBe('unknown_type')
  expect(await refusalOf(files.list({user: 'U0X'}))).toBe('user_not_found')
  await files.delete({file: own})
  expect(await refusalOf(files.info({file: own}))).toBe('file_deleted')
  expect(await refusalOf(files.delete({file: own}))).toBe('file_deleted')
  expect(await filesOfNewest(slack, client)).toEqual([{id: own, mode: 'tombstone'}])
})

async function filesOfNewest(slack: LocalSlack, client: WebClient): Promise<unknown> {
  expect(slack.messages('C0WEB')).toHaveLength(2)
  const {messages} = await client.conversations.history({channel: 'C0WEB', limit: 1})
  return messages?.[0]?.files?.map(({id, mode}) => ({id, mode}))
}
