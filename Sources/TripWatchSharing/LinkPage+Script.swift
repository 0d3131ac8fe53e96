extension LinkPage {
    /// The script of the page. After each event, and every 15 s, it fetches the page again and replaces its sections. All text comes from
    /// the server, except clock times, ages, and messages about the connection and the link's end.
    static let script = #"""
        (() => {
        const $ = id => document.getElementById(id), here = location.pathname, door = here.split('/').pop();
        const wide = matchMedia('(min-width: 60em)'), dark = matchMedia('(prefers-color-scheme: dark)');
        let read = performance.now(), heard = new Date(), busy = false, again = false, over = false, source, shown;
        const clock = d => d.toLocaleTimeString([], {hour: '2-digit', minute: '2-digit', hourCycle: 'h23'});
        const day = (d, always) => {
          const away = Math.abs(d - Date.now()), year = away < 2592e7 ? {} : {year: 'numeric'};
          if (d.toDateString() === new Date().toDateString() || away < 432e5 && !always) return '';
          return d.toLocaleDateString('en-GB', {day: 'numeric', month: 'short', ...year}) + ' '; };
        const times = root => root.querySelectorAll('time[datetime]').forEach(t => {
          const d = new Date(t.dateTime), last = t.previousElementSibling;
          // If both times of a span are on the same day, only the first shows the day.
          const same = last && last.dateTime && new Date(last.dateTime).toDateString() === d.toDateString();
          t.textContent = (same ? '' : day(d, 'day' in t.dataset)) + clock(d); });
        const age = s => s < 60 ? s + ' s' : s < 3600 ? Math.floor(s / 60) + ' min' : Math.floor(s / 3600) + ' h';
        const tick = () => document.querySelectorAll('[data-age]').forEach(e => {
          e.textContent = age(Math.round(+e.dataset.age + (performance.now() - read) / 1000)) + e.dataset.tail; });
        const put = (old, now) => { if (old && now && old.innerHTML !== now.innerHTML) old.innerHTML = now.innerHTML; };
        const gone = text => { $('gone').hidden = !text; if ($('gone').textContent !== text) $('gone').textContent = text; };
        const end = () => { over = true; if (source) source.close(); gone('');
          $('fresh').textContent = ''; $('say').textContent = 'This link no longer works.';
          $('main').className = 'ended'; $('main').innerHTML = '<p>This link no longer works.</p>'; $('foot').textContent = '';
          document.title = 'This link no longer works'; };
        const map = async words => {
          const url = door + '/map.svg?' + (wide.matches ? 'cols=96&rows=42' : 'cols=52&rows=24') + (dark.matches ? '&dark' : '');
          const answer = await fetch(url, {cache: 'no-store'});
          if (!answer.ok) return;
          const picture = new Image(), last = shown;
          picture.alt = words;
          picture.src = shown = URL.createObjectURL(await answer.blob());
          await picture.decode();
          $('map').replaceChildren(picture);
          if (last) URL.revokeObjectURL(last); };
        const fresh = async () => {
          if (over) return;
          if (busy) { again = true; return; }
          busy = true;
          try {
            const answer = await fetch(here, {headers: {Accept: 'text/html'}, cache: 'no-store'});
            if (answer.status === 404) return end();
            if (!answer.ok) throw answer.status;
            // The styles of the fetched page have a different nonce, so they are removed.
            const text = (await answer.text()).replace(/<style[^]*?<[/]style>/, '');
            const page = new DOMParser().parseFromString(text, 'text/html');
            times(page);
            read = performance.now(); heard = new Date();
            for (const id of ['title', 'fresh', 'hero', 'facts', 'say', 'foot']) put($(id), page.getElementById(id));
            document.title = page.title;
            const drawn = page.querySelector('#map img');
            if (drawn) await map(drawn.alt); else $('map').replaceChildren();
            gone('');
          } catch { lost(); } finally { busy = false; }
          if (again) { again = false; setTimeout(fresh, 700); } };
        const lost = () => {
          if (!over) gone('Connection lost. Trying again. Map and arrival time are from ' + day(heard) + clock(heard) + '.'); };
        const listen = () => {
          source = new EventSource(door + '/events');
          source.onopen = fresh;
          source.onmessage = e => { if (JSON.parse(e.data).event === 'link_ended') end(); else fresh(); };
          source.onerror = () => { if (over) return; lost();
            if (source.readyState === 2) { source.close(); setTimeout(listen, 2000); fresh(); } }; };
        times(document); setInterval(tick, 1000); setInterval(fresh, 15000);
        for (const q of [wide, dark]) q.addEventListener('change', fresh);
        document.addEventListener('visibilitychange', () => { if (!document.hidden) fresh(); });
        listen();
        })();
        """#
}
