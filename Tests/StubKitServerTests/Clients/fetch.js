(async () => {
  await (await fetch("BASE/ok")).text()
  try {
    const response = await fetch("BASE/PATH", { signal: AbortSignal.timeout(1000) })
    console.log(response.status, (await response.text()).length)
  } catch (error) { console.log(error.name == "TypeError" ? error.message : error.name) }
})()
