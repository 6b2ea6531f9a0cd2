mount({ data: JSON.parse(document.getElementById("film-data").textContent), parentElement: document });
