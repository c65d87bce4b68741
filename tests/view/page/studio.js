document.title = (await (await fetch("files.json")).json()).files.map((file) => file.name).join();
