// Loaded into the bot in front of everything else (`node --import`): from SIGUSR2 on, something holds its event loop up for
// 900 ms of each second.
const HELD_MS = 900
const nobody = new Int32Array(new SharedArrayBuffer(4))

process.on('SIGUSR2', () => {
  setInterval(() => Atomics.wait(nobody, 0, 0, HELD_MS), 1000)
})
